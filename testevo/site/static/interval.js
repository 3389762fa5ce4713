// The interval of a mean over tasks whose repositories are clusters: the formula of testevo.analysis.statistics.intervals,
// which explains it. A test compares both for many windows.
"use strict";

testevo.interval = (() => {
  /** The quantile of Student's t, between the steps of the table. */
  function quantileAt(degrees, constants) {
    const steps = constants.quantiles.length - 1;
    const at = Math.min(steps, (steps * constants.least_degrees) / degrees);
    const below = Math.min(steps - 1, Math.floor(at));
    return constants.quantiles[below] + (at - below) * (constants.quantiles[below + 1] - constants.quantiles[below]);
  }

  /** Per repository the sum of values, their weight and number. */
  function clustersOf(values, chosen, repositories, by) {
    const clusters = new Map();
    for (const at of chosen) {
      if (values[at] === null) continue;
      const own = clusters.get(repositories[at]) ?? { total: 0, squares: 0, size: 0 };
      own.total += values[at];
      own.squares += values[at] ** 2;
      own.size += 1;
      clusters.set(repositories[at], own);
    }
    for (const one of clusters.values()) {
      const weight = by === "repositories" ? 1 / one.size : 1;
      one.total *= weight;
      one.squares *= weight;
      one.weight = weight * one.size;
    }
    return [...clusters.values()];
  }

  /** How many independent tasks would know the mean as well. */
  function effectiveTasks(clusters, mean, weight, constants) {
    const sum = (value) => clusters.reduce((found, one) => found + value(one, one.weight / weight), 0);
    const independent = 1 / sum((one, share) => share ** 2 / one.size);
    const variance = mean * (1 - mean);
    const spread = Math.max(0, sum((one) => one.squares) / weight - mean ** 2);
    const relative = (independent * spread + 0.5) / (independent * variance + 0.5);
    const assumed = sum((one, share) => share ** 2 * (constants.correlation + (1 - constants.correlation) / one.size));
    const moves = sum((one, share) => (((one.total / one.weight - mean) * share) / (1 - share)) ** 2);
    const jackknife = ((clusters.length - 1) / clusters.length) * moves;
    const mass = constants.mass / clusters.length;
    return Math.min((variance + mass) / (jackknife + mass * relative * assumed), independent / relative);
  }

  /** Both bounds, or null where too few repositories tell how much they differ. */
  return (values, chosen, repositories, by, constants) => {
    const clusters = clustersOf(values, chosen, repositories, by);
    const weight = clusters.reduce((sum, one) => sum + one.weight, 0);
    const effective = clusters.length ? 1 / clusters.reduce((sum, one) => sum + (one.weight / weight) ** 2, 0) : 0;
    if (effective < constants.least_clusters - 1e-9) return null;
    const mean = Math.min(Math.max(clusters.reduce((sum, one) => sum + one.total, 0) / weight, 0), 1);
    const count = effectiveTasks(clusters, mean, weight, constants);
    const excess = quantileAt(effective - 1 + constants.degrees, constants) ** 2 / count;
    const centre = (mean + excess / 2) / (1 + excess);
    const half = Math.sqrt(excess * mean * (1 - mean) + excess ** 2 / 4) / (1 + excess);
    return [Math.max(0, centre - half), Math.min(1, centre + half)];
  };
})();
