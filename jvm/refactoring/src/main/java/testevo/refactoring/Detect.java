package testevo.refactoring;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import gr.uom.java.xmi.diff.CodeRange;
import gr.uom.java.xmi.diff.UMLModelDiff;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.refactoringminer.api.PurityCheckResult;
import org.refactoringminer.api.PurityChecker;
import org.refactoringminer.api.Refactoring;
import org.refactoringminer.api.RefactoringHandler;
import org.refactoringminer.rm1.GitHistoryRefactoringMinerImpl;
import testevo.lines.Command;
import testevo.lines.Fields;

/** Refactorings between two sets of files; unlike RefactoringMiner itself, never silent about a failure. */
final class Detect implements Command {
    @Override
    public JsonObject answer(JsonObject request) throws Exception {
        Map<String, String> before = Fields.textMap(request, "before");
        Map<String, String> after = Fields.textMap(request, "after");
        Found found = new Found();
        new GitHistoryRefactoringMinerImpl().detectAtFileContents(before, after, found);
        if (found.failure != null) {
            throw found.failure;
        }
        JsonArray described = new JsonArray();
        for (Refactoring refactoring : found.refactorings) {
            described.add(describe(refactoring, found));
        }
        JsonObject answer = new JsonObject();
        answer.add("refactorings", described);
        return answer;
    }

    private static JsonObject describe(Refactoring refactoring, Found found) {
        JsonObject described = new JsonObject();
        described.addProperty("type", refactoring.getName());
        described.addProperty("description", refactoring.toString());
        described.addProperty("purity", purity(refactoring, found));
        described.add("left", describe(refactoring.leftSide()));
        described.add("right", describe(refactoring.rightSide()));
        return described;
    }

    private static JsonArray describe(List<CodeRange> ranges) {
        JsonArray places = new JsonArray();
        for (CodeRange range : ranges) {
            JsonObject place = new JsonObject();
            place.addProperty("path", range.getFilePath());
            place.addProperty("first", range.getStartLine());
            place.addProperty("last", range.getEndLine());
            place.addProperty("kind", range.getCodeElementType().name());
            places.add(place);
        }
        return places;
    }

    /** The checker answers null for the types it does not judge, and may fail on one refactoring alone. */
    private static String purity(Refactoring refactoring, Found found) {
        if (found.difference == null) {
            return "unknown";
        }
        try {
            PurityCheckResult result = PurityChecker.check(refactoring, found.refactorings, found.difference);
            return result == null ? "unknown" : result.isPure() ? "pure" : "mixed";
        } catch (RuntimeException error) {
            System.err.println("Purity of " + refactoring + " is unknown: " + error);
            return "unknown";
        }
    }

    /** What the detector hands over. */
    private static final class Found extends RefactoringHandler {
        private List<Refactoring> refactorings = new ArrayList<>();
        private UMLModelDiff difference;
        private Exception failure;

        @Override
        public void handleModelDiff(String revision, List<Refactoring> found, UMLModelDiff modelDiff) {
            difference = modelDiff;
        }

        @Override
        public void handle(String revision, List<Refactoring> found) {
            refactorings = found;
        }

        @Override
        public void handleException(String revision, Exception error) {
            failure = error;
        }
    }
}
