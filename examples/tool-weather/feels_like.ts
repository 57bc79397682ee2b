/** The apparent temperature of the Australian Bureau of Meteorology, which counts humidity and wind. */
export default {
  description: {
    zh: "体感温度：按气温、湿度和风速算。",
    en: "How warm it feels, from temperature, humidity and wind.",
  },
  arguments: {
    celsius: { type: "number", description: "Air temperature in °C." },
    humidity: { type: "number", description: "Relative humidity in percent." },
    wind: { type: "number", description: "Wind in metres a second.", default: 0 },
  },
  run({ celsius, humidity, wind }: { readonly celsius: number; readonly humidity: number; readonly wind: number }) {
    if (humidity < 0 || humidity > 100) throw new Error("humidity is a percentage, 0 to 100");
    const vapour = (humidity / 100) * 6.105 * Math.exp((17.27 * celsius) / (237.7 + celsius));
    return { feelsLike: Math.round((celsius + 0.33 * vapour - 0.7 * wind - 4) * 10) / 10, unit: "°C" };
  },
};
