package testevo.lines;

import com.google.gson.JsonObject;

/** One kind of request: reads its fields and gives back the fields of the answer. */
public interface Command {
    JsonObject answer(JsonObject request) throws Exception;
}
