package q;
class ChildTest extends BaseTest { }
