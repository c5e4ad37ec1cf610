import { expect, test } from 'vitest';
import type { Node } from '../../api/objects.ts';
import { Simulation } from '../../sim/index.ts';
import { TaintQueue } from './taint-queue.ts';

const node = (name: string): Node => ({ metadata: { name } }) as Node;

/** A queue, and the names and times of the nodes that it has tainted. */
function opened(perSecond = 0.1, taint: (name: string) => Promise<void> = async () => {}) {
  const sim = new Simulation({ seed: 1 });
  const tainted: string[] = [];
  const { signal } = new AbortController();
  const queue = new TaintQueue({ clock: sim.clock, signal }, perSecond, async ({ metadata: { name } }) => {
    tainted.push(`${name} at ${sim.elapsedMs / 1_000} s`);
    await taint(name);
  });
  return { queue, tainted, pass: (seconds: number) => sim.run({ forMs: seconds * 1_000 }) };
}

test('The first node gets its taint at once, and each further node ten seconds later', async () => {
  const { queue, tainted, pass } = opened();
  for (const name of ['a', 'b', 'a', 'c']) queue.add(node(name));
  await pass(60);
  expect(tainted).toEqual(['a at 0 s', 'b at 10 s', 'c at 20 s']);
});

test('A node that stops waiting uses no token', async () => {
  const { queue, tainted, pass } = opened();
  for (const name of ['a', 'b', 'c']) queue.add(node(name));
  await pass(5);
  queue.remove('b');
  expect([queue.has('b'), queue.has('c')]).toEqual([false, true]);
  await pass(60);
  expect(tainted).toEqual(['a at 0 s', 'c at 10 s']);
});

test('A rate of 0 stops the queue, and the bucket that follows starts empty', async () => {
  const { queue, tainted, pass } = opened();
  queue.setRate(0);
  queue.add(node('a'));
  await pass(60);
  queue.setRate(0.1);
  await pass(60);
  expect(tainted).toEqual(['a at 70 s']);
});

test('A full bucket stays full when its rate changes', async () => {
  const { queue, tainted, pass } = opened();
  await pass(1);
  queue.setRate(0.01);
  for (const name of ['a', 'b']) queue.add(node(name));
  await pass(200);
  expect(tainted).toEqual(['a at 1 s', 'b at 101 s']);
});

test('A node whose taint cannot be written waits again, at the end', async () => {
  let isBroken = true;
  const { queue, tainted, pass } = opened(0.1, async (name) => {
    if (name === 'a' && isBroken) {
      isBroken = false;
      throw new Error('refused');
    }
  });
  for (const name of ['a', 'b']) queue.add(node(name));
  await pass(60);
  expect(tainted).toEqual(['a at 0 s', 'b at 10 s', 'a at 20 s']);
});
