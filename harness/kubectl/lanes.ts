/**
 * Does something to each of several items, so many at once as there are lanes.
 *
 * @returns what came of each, in the order of the items
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
  // A test reads its result late. Until then a rejection would count as one that nothing handles.
  for (const result of results) result.catch(() => {});
  return results;
}
