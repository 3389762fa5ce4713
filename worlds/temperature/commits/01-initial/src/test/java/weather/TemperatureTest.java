package weather;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TemperatureTest {

    @Test
    void convertsToFahrenheit() {
        assertEquals("50 F", new Temperature(10).fahrenheit());
    }

    @Test
    void feelsWarmOrCold() {
        assertEquals("warm", new Temperature(26).feeling());
        assertEquals("cold", new Temperature(3).feeling());
    }
}
