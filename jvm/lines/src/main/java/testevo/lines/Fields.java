package testevo.lines;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the fields of a request; a missing one is named in the exception. */
public final class Fields {
    private Fields() {}

    public static String text(JsonObject request, String name) {
        return required(request, name).getAsString();
    }

    /** A list of texts; an absent field is an empty list. */
    public static List<String> texts(JsonObject request, String name) {
        List<String> texts = new ArrayList<>();
        if (request.has(name)) {
            for (JsonElement element : request.getAsJsonArray(name)) {
                texts.add(element.getAsString());
            }
        }
        return texts;
    }

    public static Map<String, String> textMap(JsonObject request, String name) {
        Map<String, String> texts = new LinkedHashMap<>();
        for (Map.Entry<String, JsonElement> entry :
                required(request, name).getAsJsonObject().entrySet()) {
            texts.put(entry.getKey(), entry.getValue().getAsString());
        }
        return texts;
    }

    public static JsonArray array(Iterable<String> texts) {
        JsonArray array = new JsonArray();
        for (String text : texts) {
            array.add(text);
        }
        return array;
    }

    private static JsonElement required(JsonObject request, String name) {
        if (!request.has(name)) {
            throw new IllegalArgumentException("the request has no field " + name);
        }
        return request.get(name);
    }
}
