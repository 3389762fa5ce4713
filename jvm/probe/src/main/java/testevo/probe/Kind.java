package testevo.probe;

/** What a frame of the shadow stack is. */
enum Kind {
    PRODUCTION_METHOD,
    PRODUCTION_CONSTRUCTOR,
    /** Belongs to the method around it and to no frame of its own. */
    PRODUCTION_LAMBDA,
    /** Made by the compiler of a production class, only to call the method with the same name that somebody wrote. */
    PRODUCTION_BRIDGE,
    TEST_TREE_METHOD,
    TEST_TREE_CONSTRUCTOR,
    TEST_TREE_LAMBDA,
    STATIC_INITIALISER
}
