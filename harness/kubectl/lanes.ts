/**
 * Processes several items in parallel, one per lane.
 *
 * @returns the result of each, in the order of the items
 */
export function inLanes<Item, Result>(
  lanes: number,
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): readonly Promise<Result>[] {
  const free: (() => void)[] = [];
  let taken = 0;
  const lane = async (): Promise<void> => {
    taken += 1;
    if (taken > lanes) await new Promise<void>((resolve) => free.push(resolve));
  };
  const results = items.map(async (item, index) => {
    await lane();
    try {
      return await work(item, index);
    } finally {
      free.shift()?.();
    }
  });
  // A test reads its result later. Until then Node would report a rejection as unhandled.
  for (const result of results) result.catch(() => {});
  return results;
}
