import { describe, expect, test } from 'vitest';
import type { Frame } from '../protocol/run-service.ts';
import type { ClusterView } from '../protocol/view.ts';
import { clusterView, node, pod } from './act/view.fixture.ts';
import { playSlowly, SLOW, SLOWEST, speedFor } from './slow-motion.ts';
import { RunStore } from './store.ts';

const idle = clusterView({ deployments: [] });
const unscheduled = clusterView({ deployments: [], pending: [pod('web-1')] });
const starting = clusterView({
  deployments: [],
  nodes: [node('node-1', { pods: [pod('web-1', { isReady: false })] })],
});
const ready = clusterView({ deployments: [], nodes: [node('node-1', { pods: [pod('web-1')] })] });

/** A page whose run stands at 1 s, the speeds that it was played at, and those that it announced. */
function newPage() {
  const store = new RunStore();
  const speeds: number[] = [1];
  const announced: (number | undefined)[] = [];
  const at = (nowMs: number, view: ClusterView = idle, state: Frame['state'] = 'playing') =>
    store.take({ nowMs, endMs: nowMs, state, speed: 1, messages: [], moments: [], output: [], view });
  const playAt = async (speed: number): Promise<void> => {
    speeds.push(speed);
  };
  at(1000);
  return {
    ...{ store, speeds, announced, at, playAt },
    speedNow: () => speeds.at(-1) ?? 0,
    onSpeed: (speed: number | undefined) => announced.push(speed),
  };
}

describe('The speed for a cluster', () => {
  test.each([
    ['waits for a node', unscheduled, SLOWEST],
    ['starts', starting, SLOW],
    ['is ready', ready, 1],
  ])('whose pod %s', (_, view, speed) => {
    expect(speedFor(view)).toBe(speed);
  });

  test('whose Deployment has no pods yet is the slowest', () => {
    const [deployment] = clusterView().deployments;
    if (!deployment) throw new Error('the cluster has a Deployment');
    expect(speedFor(clusterView({ deployments: [{ ...deployment, replicaSets: [] }], nodes: [] }))).toBe(
      SLOWEST,
    );
  });
});

describe('Slow motion', () => {
  test('is slowest until the pods have nodes, slow until they are ready, and ends', async () => {
    const page = newPage();
    await playSlowly(page);
    page.at(1_010);
    page.at(1_050, unscheduled);
    page.at(1_200, starting);
    page.at(2_100, ready);
    page.at(2_200, starting);
    expect(page.speeds).toEqual([1, SLOWEST, SLOW, 1]);
    expect(page.announced).toEqual([SLOWEST, SLOW, undefined]);
  });

  test('ends soon if nothing begins, and later if pods do not become ready', async () => {
    const quiet = newPage();
    await playSlowly(quiet);
    quiet.at(1_300, ready);
    expect(quiet.speeds).toEqual([1, SLOWEST, 1]);
    const stuck = newPage();
    await playSlowly(stuck);
    stuck.at(1_200, starting);
    stuck.at(4_000, starting);
    expect(stuck.speeds).toEqual([1, SLOWEST, SLOW, 1]);
  });

  test('leaves the speed alone that a reader has chosen meanwhile', async () => {
    const page = newPage();
    await playSlowly(page);
    page.speeds.push(0.5);
    page.at(1_100, unscheduled);
    page.at(3_000, ready);
    expect(page.speeds).toEqual([1, SLOWEST, 0.5]);
    expect(page.announced).toEqual([SLOWEST, undefined]);
  });

  test('plays no run that a reader has paused or sent back', async () => {
    const page = newPage();
    await playSlowly(page);
    page.at(0, idle, 'paused');
    page.at(3_000, ready);
    expect(page.speeds).toEqual([1, SLOWEST]);
  });
});
