import { describe, expect, test } from 'vitest';
import { QueueContents } from './queue-contents.ts';

/** The contents of a queue, and a clock that the test moves. */
function newContents() {
  const clock = { nowMs: 0 };
  return { clock, contents: new QueueContents<string>(() => clock.nowMs) };
}

describe('The contents of a queue', () => {
  test('are its items, in the order of their addition, each once', () => {
    const { contents } = newContents();
    for (const item of ['a', 'b', 'a']) contents.added(item);
    expect(contents.state({ len: () => 2 })).toEqual({ items: ['a', 'b'], processing: [], later: [] });
  });

  test('hold an item in work until the worker finishes it, and queue it again if it was added meanwhile', () => {
    const { contents } = newContents();
    contents.added('a');
    contents.taken('a');
    contents.added('a');
    expect(contents.state({ len: () => 0 })).toEqual({ items: [], processing: ['a'], later: [] });
    contents.done('a');
    expect(contents.state({ len: () => 1 })).toEqual({ items: ['a'], processing: [], later: [] });
  });

  test('have a delayed item from the earliest of its times on', () => {
    const { clock, contents } = newContents();
    contents.addedAfter('a', 500);
    contents.addedAfter('a', 200);
    contents.addedAfter('b', 0);
    expect(contents.state({ len: () => 1 })).toEqual({
      items: ['b'],
      processing: [],
      later: [{ item: 'a', atMs: 200 }],
    });
    clock.nowMs = 200;
    expect(contents.state({ len: () => 2 })).toEqual({ items: ['b', 'a'], processing: [], later: [] });
  });

  test('have a retry at an unknown time, and as queued once the queue is longer', () => {
    const { contents } = newContents();
    contents.retried('a');
    expect(contents.state({ len: () => 0 })).toEqual({ items: [], processing: [], later: [{ item: 'a' }] });
    expect(contents.state({ len: () => 1 })).toEqual({ items: ['a'], processing: [], later: [] });
    contents.taken('a');
    expect(contents.state({ len: () => 0 })).toEqual({ items: [], processing: ['a'], later: [] });
  });

  test('keep the delay of an item that is taken before its time', () => {
    const { contents } = newContents();
    contents.addedAfter('a', 200);
    contents.added('a');
    contents.taken('a');
    expect(contents.state({ len: () => 0 }).later).toEqual([{ item: 'a', atMs: 200 }]);
  });
});
