package testevo.maven.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.File;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.maven.model.Resource;
import org.codehaus.plexus.util.xml.Xpp3Dom;
import org.junit.jupiter.api.Test;

class ValuesTest {
    @Test
    void lists_and_arrays_keep_their_order() {
        assertEquals(List.of("b", "a"), Values.recorded(List.of("b", "a")));
        assertEquals(List.of("2", "1"), Values.recorded(new int[] {2, 1}));
    }

    @Test
    void sets_and_maps_are_sorted() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("b", 2);
        map.put("a", new File("/x"));
        assertEquals(List.of("a", "b"), Values.recorded(new LinkedHashSet<>(List.of("b", "a"))));
        assertEquals("{a=/x, b=2}", Values.recorded(map).toString());
    }

    @Test
    void an_object_whose_text_may_differ_from_run_to_run_is_its_class() {
        assertEquals("java.util.Random", Values.recorded(new Random(7)));
    }

    @Test
    void a_resource_folder_has_target_filtering_and_patterns() {
        Resource resource = new Resource();
        resource.setDirectory("/project/src/main/resources");
        resource.setFiltering(true);
        resource.addInclude("**/*.yml");
        Map<?, ?> found = (Map<?, ?>) Values.recorded(resource);
        assertEquals("/project/src/main/resources", found.get("folder"));
        assertEquals(true, found.get("filtered"));
        assertEquals(List.of("**/*.yml"), found.get("includes"));
        assertNull(found.get("target"));
    }

    @Test
    void an_element_has_text_attributes_and_children() {
        Xpp3Dom copy = new Xpp3Dom("copy");
        copy.setAttribute("todir", "target");
        copy.setValue(" all ");
        Xpp3Dom script = new Xpp3Dom("target");
        script.addChild(copy);
        List<?> children = (List<?>) Values.element(script).get("children");
        assertEquals(
                "{attributes={todir=target}, children=[], name=copy, text=all}",
                children.get(0).toString());
    }
}
