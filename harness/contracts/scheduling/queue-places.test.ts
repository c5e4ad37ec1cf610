import { expect, test } from 'vitest';
import { aSchedulingPod } from '../../laws/scheduling/index.ts';
import { QueuePlaces } from './queue-places.ts';
import { noPlugins, type QueuedPodInfo } from './queued-pod-info.ts';

class Queue extends QueuePlaces {
  constructor() {
    super({ clock: { now: () => 0 } }, () => 0);
  }

  put(name: string, priority: number): void {
    const counts = { attempts: 0, unschedulableCount: 0, consecutiveErrorsCount: 0 };
    const pod = aSchedulingPod({ name, spec: { priority } });
    this.active.put({ pod, timestampMs: 0, ...counts, unschedulablePlugins: noPlugins });
  }

  protected popped(info: QueuedPodInfo): QueuedPodInfo {
    return info;
  }
}

const nameOf = (info: QueuedPodInfo | undefined) => info?.pod.metadata.name;

test('A waiting pop gets the most important of the pods that become active together', async () => {
  const queue = new Queue();
  const first = queue.pop();
  const second = queue.pop();
  queue.put('plain', 0);
  queue.put('important', 10);
  expect([nameOf(await first), nameOf(await second)]).toEqual(['important', 'plain']);
});

test('A closed queue returns no more pods, even to a waiting pop', async () => {
  const queue = new Queue();
  const waiting = queue.pop();
  queue.close();
  queue.put('late', 0);
  expect(await waiting).toBeUndefined();
  expect(await queue.pop()).toBeUndefined();
});
