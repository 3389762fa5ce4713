package testevo.probe;

import java.util.ArrayList;
import java.util.List;

/** Reads method descriptors. */
final class Descriptors {
    private Descriptors() {}

    /** Binary names of the parameter types, arrays with brackets: {@code (I[Ljava/lang/String;)V} gives int and the array. */
    static String[] parameters(String descriptor) {
        List<String> names = new ArrayList<>();
        int at = 1;
        while (descriptor.charAt(at) != ')') {
            int dimensions = 0;
            while (descriptor.charAt(at) == '[') {
                dimensions++;
                at++;
            }
            StringBuilder name = new StringBuilder();
            if (descriptor.charAt(at) == 'L') {
                int end = descriptor.indexOf(';', at);
                name.append(descriptor.substring(at + 1, end).replace('/', '.'));
                at = end + 1;
            } else {
                name.append(primitive(descriptor.charAt(at++)));
            }
            while (dimensions-- > 0) {
                name.append("[]");
            }
            names.add(name.toString());
        }
        return names.toArray(new String[0]);
    }

    private static String primitive(char code) {
        switch (code) {
            case 'Z':
                return "boolean";
            case 'B':
                return "byte";
            case 'C':
                return "char";
            case 'S':
                return "short";
            case 'I':
                return "int";
            case 'J':
                return "long";
            case 'F':
                return "float";
            default:
                return "double";
        }
    }
}
