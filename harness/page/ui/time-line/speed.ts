/** The speeds of the page, slowest first, in virtual seconds per real second. */
export const speeds: readonly number[] = [
  0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000,
];

/** Returns the next faster or slower speed; the same at either end. */
export function nextSpeed(speed: number, direction: 1 | -1): number {
  if (direction === 1) return speeds.find((one) => one > speed) ?? speeds.at(-1) ?? speed;
  return speeds.findLast((one) => one < speed) ?? speeds[0] ?? speed;
}

/** Formats a speed: `1×`, `100×`, `1/20×`. */
export function formatSpeed(speed: number): string {
  if (speed >= 1) return `${grouped(Math.round(speed))}×`;
  return `1/${Math.round(1 / speed)}×`;
}

const grouped = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ',');
