import type { scheduling } from '#harness';
import { soFar } from '#harness/testing';
import { SchedulingQueue } from '#kata/33-bind/bind';
import { namesOf } from './objects.fixture.ts';

/** Which pod is on which node, in order of their names; nodes without a pod are left out. */
export function placesOf(queue: SchedulingQueue): Record<string, string[]> {
  const places = {
    active: namesOf(queue.podsInActiveQ()),
    backoff: namesOf(queue.podsInBackoffQ()),
    unschedulable: namesOf(queue.unschedulablePods()),
    inFlight: namesOf(queue.inFlightPods()),
  };
  return Object.fromEntries(Object.entries(places).filter(([, names]) => names.length > 0));
}

/** A queue, and a clock that stands still until the test moves it. */
export class Desk {
  nowMs = Date.UTC(2024, 3, 17);
  readonly queue: SchedulingQueue;

  constructor(plugins: readonly scheduling.QueueingPlugin[] = []) {
    this.queue = new SchedulingQueue({ clock: { now: () => this.nowMs }, plugins });
  }

  /** Lets time pass, and looks whose backoff is over. */
  pass(ms: number): void {
    this.nowMs += ms;
    this.queue.flushBackoffQCompleted();
  }

  places(): Record<string, string[]> {
    return placesOf(this.queue);
  }

  /** Takes the next one, which must be there. */
  async take(): Promise<scheduling.QueuedPodInfo> {
    const info = await soFar(this.queue.pop());
    if (info === 'waits' || info === undefined) {
      throw new Error(
        `pop() gives no pod at once (${info ?? 'undefined'}). This is who is where: ${JSON.stringify(this.places())}`,
      );
    }
    return info;
  }

  /** Takes all that are active, and gives their names in that order. */
  async takeAll(): Promise<string[]> {
    const names: string[] = [];
    while (this.queue.podsInActiveQ().length > 0) names.push((await this.take()).pod.metadata.name);
    return names;
  }

  /** Takes the next one and brings it back: these plugins have turned it away, or, without any, something went wrong. */
  async fail(...plugins: readonly string[]): Promise<scheduling.QueuedPodInfo> {
    const info = await this.take();
    this.bringBack(info, ...plugins);
    return info;
  }

  bringBack(info: scheduling.QueuedPodInfo, ...plugins: readonly string[]): void {
    this.queue.addUnschedulableIfNotPresent({ ...info, unschedulablePlugins: new Set(plugins) });
  }
}
