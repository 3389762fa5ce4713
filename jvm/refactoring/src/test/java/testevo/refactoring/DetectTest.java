package testevo.refactoring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import org.junit.jupiter.api.Test;

class DetectTest {
    private static final String BEFORE = "package a;\npublic class A {\n  int area(int w, int h) {\n"
            + "    int sum = w * h;\n    System.out.println(sum);\n    return sum;\n  }\n}\n";

    private static JsonArray refactorings(String before, String after) throws Exception {
        JsonObject request = new JsonObject();
        request.add("before", file(before));
        request.add("after", file(after));
        return new Detect().answer(request).getAsJsonArray("refactorings");
    }

    private static JsonObject file(String text) {
        JsonObject files = new JsonObject();
        files.addProperty("src/a/A.java", text);
        return files;
    }

    private static JsonObject renamed() throws Exception {
        return refactorings(BEFORE, BEFORE.replace("area", "surface")).get(0).getAsJsonObject();
    }

    @Test
    void equal_files_have_no_refactorings() throws Exception {
        assertEquals(0, refactorings(BEFORE, BEFORE).size());
    }

    @Test
    void another_operator_is_no_refactoring() throws Exception {
        assertEquals(0, refactorings(BEFORE, BEFORE.replace("w * h", "w + h")).size());
    }

    @Test
    void a_renamed_method_is_told_by_its_type() throws Exception {
        assertEquals("Rename Method", renamed().get("type").getAsString());
    }

    @Test
    void both_sides_have_path_and_lines() throws Exception {
        JsonObject left = renamed().getAsJsonArray("left").get(0).getAsJsonObject();
        assertEquals("src/a/A.java", left.get("path").getAsString());
        assertEquals(3, left.get("first").getAsInt());
        assertEquals(7, left.get("last").getAsInt());
    }

    @Test
    void a_request_without_files_is_refused() {
        assertThrows(IllegalArgumentException.class, () -> new Detect().answer(new JsonObject()));
    }
}
