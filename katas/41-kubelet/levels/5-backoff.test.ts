import { describe, expect, test } from 'vitest';
import { crashLoopBackOff, type RuntimePodStatus } from '#given/41-kubelet';
import type { Pod } from '#harness';
import { named, vectors } from '#harness/testing';
import { Backoff, doBackOff } from '#kata/41-kubelet/kubelet';
import { exited, observed, podOf, running } from './pods.fixture.ts';

/** A clock that a test sets, in seconds since noon of a fixed day. */
function stillClock(seconds = 0) {
  const noonMs = Date.UTC(2024, 3, 17, 12);
  const clock = { seconds, now: () => noonMs + clock.seconds * 1_000, at: (s: number) => noonMs + s * 1_000 };
  return clock;
}

const secondsOf = ({
  initial = 10,
  max = 300,
  expiry,
}: {
  initial?: number;
  max?: number;
  expiry?: number;
} = {}) => {
  const clock = stillClock();
  const backOff = new Backoff({
    clock,
    initialMs: initial * 1_000,
    maxMs: max * 1_000,
    ...(expiry !== undefined && { expiryMs: expiry * 1_000 }),
  });
  return { clock, backOff };
};

describe('Level 5 · Back-off', () => {
  describe('A back-off', () => {
    test('doubles with each failure, up to the maximum', () => {
      const { clock, backOff } = secondsOf();
      const delays = Array.from({ length: 8 }, () => {
        const delay = backOff.get('web') / 1_000;
        backOff.next('web', clock.now());
        return delay;
      });
      expect(
        delays,
        'the delays in seconds before each failure: 0, then 10 s doubled up to the maximum of 300 s',
      ).toEqual([0, 10, 20, 40, 80, 160, 300, 300]);
    });

    test('counts each key separately', () => {
      const { clock, backOff } = secondsOf();
      for (const key of ['constructor', 'web', 'web', '__proto__']) backOff.next(key, clock.now());
      expect(
        ['constructor', 'web', '__proto__', 'log'].map((key) => backOff.get(key)),
        'the delays of each key, also of keys that are names of built-in properties',
      ).toEqual([10_000, 20_000, 10_000, 0]);
    });

    test('lasts exactly from the time of the event', () => {
      const { clock, backOff } = secondsOf();
      backOff.next('web', clock.now());
      const waits = (seconds: number, since: number) => {
        clock.seconds = seconds;
        return backOff.isInBackOffSince('web', clock.at(since));
      };
      expect(waits(0, 0), '0 s after the failure, with a delay of 10 s').toBe(true);
      expect(waits(9.999, 0), '9.999 s after the failure').toBe(true);
      expect(waits(10, 0), '10 s after the failure: the delay is over').toBe(false);
      expect(waits(12, 3), '9 s after a failure at 3 s').toBe(true);
      expect(waits(13, 3), '10 s after a failure at 3 s: the delay is over').toBe(false);
    });

    test('does not apply to a key that has not failed', () => {
      const { clock, backOff } = secondsOf();
      expect(
        backOff.isInBackOffSince('web', clock.now()),
        'a key that has never failed has no back-off',
      ).toBe(false);
    });

    test('resets when the event comes long after the last failure was counted', () => {
      const { clock, backOff } = secondsOf({ expiry: 600 });
      const fails = (countedAt: number, failedAt: number) => {
        clock.seconds = countedAt;
        backOff.next('web', clock.at(failedAt));
        return backOff.get('web') / 1_000;
      };
      expect(
        [fails(0, 0), fails(10, 5), fails(400, 300)],
        'seconds: each failure doubles the delay; none came more than 600 s after the last one was counted',
      ).toEqual([10, 20, 40]);
      // Exactly 600 s after 400 s is not enough. The time of the failure counts, not the time of its observation.
      expect(
        fails(2_000, 1_000),
        'seconds: the failure at 1000 s came exactly 600 s after the last was counted, at 400 s, and that is not longer than 600 s: double',
      ).toBe(80);
      expect(
        fails(2_700, 2_601),
        'seconds: the failure at 2601 s came 601 s after the last was counted, at 2000 s: begin again with 10 s',
      ).toBe(10);
      clock.seconds = 3_301;
      expect(
        backOff.isInBackOffSince('web', clock.at(3_301)),
        'the failure came 601 s after the last was counted, at 2700 s: the back-off has expired',
      ).toBe(false);
      clock.seconds = 3_300;
      expect(
        backOff.isInBackOffSince('web', clock.at(3_300)),
        'the failure came 600 s after the last was counted, at 2700 s: the back-off still holds',
      ).toBe(true);
    });

    test('removes only expired keys in a clean-up', () => {
      const { clock, backOff } = secondsOf({ expiry: 600 });
      backOff.next('web', clock.now());
      clock.seconds = 1;
      backOff.next('log', clock.now());
      clock.seconds = 600;
      backOff.gc();
      expect(
        [backOff.get('web'), backOff.get('log')],
        'gc 600 s after the failure of web: an entry expires after more than 600 s',
      ).toEqual([10_000, 10_000]);
      clock.seconds = 601;
      backOff.gc();
      expect(
        [backOff.get('web'), backOff.get('log')],
        'gc 601 s after the failure of web and 600 s after that of log: only web expires',
      ).toEqual([0, 10_000]);
    });

    interface Input {
      readonly initialSeconds: number;
      readonly maxSeconds: number;
      readonly failures?: number;
      readonly gcAfterSeconds?: readonly number[];
      readonly ticks?: readonly number[];
    }
    interface Expect {
      readonly delays?: readonly number[];
      readonly delaysBeforeRestart?: readonly number[];
      readonly kept?: readonly boolean[];
      readonly inBackOff?: readonly boolean[];
    }
    const rows = vectors<Input, Expect>('kubelet', 'backoff', 4, ({ id }) => id !== 'backoff-02');
    test.each(named(rows))('agrees with client-go: %s', (_, { input, expect: expected }) => {
      const { clock, backOff } = secondsOf({ initial: input.initialSeconds, max: input.maxSeconds });
      const delays = expected.delays ?? expected.delaysBeforeRestart;
      const seen = delays?.map(() => {
        const delay = backOff.get('key') / 1_000;
        backOff.next('key', clock.now());
        clock.seconds++;
        return delay;
      });
      expect(seen, 'the delays in seconds before each failure').toEqual(delays);
      for (let i = 0; i < (input.failures ?? 0); i++) backOff.next('key', clock.now());
      const kept = input.gcAfterSeconds?.map((seconds) => {
        clock.seconds = seconds;
        backOff.gc();
        return backOff.get('key') > 0;
      });
      if (expected.kept)
        expect(
          kept,
          `whether the entry is kept at each gc, after ${input.gcAfterSeconds?.join(', ')} s`,
        ).toEqual(expected.kept);
      let lastMs = clock.now();
      const inBackOff = input.ticks?.map((seconds) => {
        clock.seconds = seconds;
        const waits = backOff.isInBackOffSince('key', lastMs);
        if (!waits) {
          lastMs = clock.now();
          backOff.next('key', lastMs);
        }
        return waits;
      });
      expect(
        inBackOff,
        `whether the key is in back-off at each tick, at ${input.ticks?.join(', ')} s`,
      ).toEqual(expected.inBackOff);
    });
  });

  describe('A container', () => {
    const image = 'nginx:1';
    const pod = podOf({
      containers: [
        { name: 'web', image },
        { name: 'log', image },
      ],
    });
    const [web, log] = pod.spec.containers as [
      Pod['spec']['containers'][number],
      Pod['spec']['containers'][number],
    ];
    const newContext = () => {
      const clock = stillClock();
      return { clock, backOff: new Backoff(crashLoopBackOff(clock)) };
    };
    const exitedAt = (clock: ReturnType<typeof stillClock>, ...seconds: number[]): RuntimePodStatus =>
      observed(pod, { web: seconds.map((s) => exited(1, { finishedAtMs: clock.at(s) })) });

    /** Returns the end of a delay, in seconds of the test's clock. */
    const until = (clock: ReturnType<typeof stillClock>, wait: ReturnType<typeof doBackOff>) =>
      wait && (wait.untilMs - clock.at(0)) / 1_000;

    test('starts at once if it has not run', () => {
      const { backOff } = newContext();
      expect(doBackOff(pod, web, observed(pod), backOff), 'a container that has never run').toBe(undefined);
      expect(
        doBackOff(pod, web, observed(pod, { web: { state: 'created' } }), backOff),
        'a container that was created and never started',
      ).toBe(undefined);
    });

    test('starts at once after its first failure, and waits after each later one', () => {
      const { clock, backOff } = newContext();
      expect(doBackOff(pod, web, exitedAt(clock, 0), backOff), 'the first restart is immediate').toBe(
        undefined,
      );
      expect(
        doBackOff(pod, web, exitedAt(clock, 0.5), backOff),
        'the second restart waits 10 s, from the exit at 0.5 s',
      ).toEqual({
        message: 'back-off 10s restarting failed container=web pod=web-1_default(uid-1)',
        untilMs: clock.at(10.5),
      });
      clock.seconds = 10.499;
      expect(doBackOff(pod, web, exitedAt(clock, 0.5), backOff), '10.499 s: still in back-off').toBeDefined();
      clock.seconds = 10.5;
      expect(doBackOff(pod, web, exitedAt(clock, 0.5), backOff), '10.5 s: the back-off is over').toBe(
        undefined,
      );
      clock.seconds = 12;
      expect(
        doBackOff(pod, web, exitedAt(clock, 11), backOff),
        'the third restart waits 20 s, from the exit at 11 s',
      ).toEqual({
        message: 'back-off 20s restarting failed container=web pod=web-1_default(uid-1)',
        untilMs: clock.at(31),
      });
    });

    test('may be checked any number of times: only a start counts', () => {
      const { clock, backOff } = newContext();
      doBackOff(pod, web, exitedAt(clock, 0), backOff);
      const waits = Array.from({ length: 5 }, () => doBackOff(pod, web, exitedAt(clock, 1), backOff));
      expect(
        new Set(waits.map((wait) => wait?.untilMs)),
        'the end of the wait, asked five times: a question must not count as a failure',
      ).toEqual(new Set([clock.at(11)]));
    });

    test('waits 0 s, 10 s, 20 s, 40 s … and at most 5 min in a crash loop', () => {
      const { clock, backOff } = newContext();
      const waits: (string | undefined)[] = [];
      for (let i = 0; i < 8; i++) {
        // It runs for one second each time.
        const failedAt = clock.seconds + 1;
        clock.seconds = failedAt;
        const wait = doBackOff(pod, web, exitedAt(clock, failedAt), backOff);
        waits.push(wait?.message.split(' ')[1]);
        if (!wait) continue;
        clock.seconds = (wait.untilMs - clock.at(0)) / 1_000;
        expect(
          doBackOff(pod, web, exitedAt(clock, failedAt), backOff),
          'the wait is over: the container must start now',
        ).toBe(undefined);
      }
      expect(waits, 'the waits before each restart, the container ran for 1 s each time').toEqual([
        undefined,
        '10s',
        '20s',
        '40s',
        '1m20s',
        '2m40s',
        '5m0s',
        '5m0s',
      ]);
    });

    test('resets after a run of more than ten minutes', () => {
      const { clock, backOff } = newContext();
      for (const seconds of [0, 100, 200, 300]) {
        clock.seconds = seconds + 90;
        expect(doBackOff(pod, web, exitedAt(clock, seconds), backOff), `${seconds}`).toBe(undefined);
      }
      clock.seconds = 995;
      expect(
        doBackOff(pod, web, exitedAt(clock, 990.001), backOff),
        'the container ran for more than ten minutes: its back-off is reset, and the restart is immediate',
      ).toBe(undefined);
      expect(
        until(clock, doBackOff(pod, web, exitedAt(clock, 995), backOff)),
        'seconds: after the reset the next wait is 10 s',
      ).toBe(1_005);
    });

    test('measures the run up to its end, even if the end is noticed late', () => {
      const { clock, backOff } = newContext();
      doBackOff(pod, web, exitedAt(clock, 0), backOff);
      clock.seconds = 700;
      expect(
        doBackOff(pod, web, exitedAt(clock, 500), backOff),
        'it ran until 500 s, less than ten minutes after the last exit, and its 10 s are over',
      ).toBe(undefined);
      expect(
        until(clock, doBackOff(pod, web, exitedAt(clock, 700), backOff)),
        'seconds: the wait is 20 s from the exit at 700 s, because 200 s of running do not reset it',
      ).toBe(720);
    });

    test('waits from its newest end', () => {
      const { clock, backOff } = newContext();
      doBackOff(pod, web, exitedAt(clock, 0), backOff);
      clock.seconds = 12;
      expect(
        until(clock, doBackOff(pod, web, exitedAt(clock, 11, 0), backOff)),
        'seconds: 10 s from the newest exit, at 11 s',
      ).toBe(21);
      const lost = observed(pod, { web: [{ state: 'unknown' }, exited(1, { finishedAtMs: clock.at(11) })] });
      expect(
        until(clock, doBackOff(pod, web, lost, backOff)),
        'seconds: 10 s from the newest known exit, at 11 s; the state of the newest container is unknown',
      ).toBe(21);
    });

    test('waits after exit code 0, too', () => {
      const { clock, backOff } = newContext();
      const ended = () => observed(pod, { web: exited(0, { finishedAtMs: clock.at(0) }) });
      doBackOff(pod, web, ended(), backOff);
      expect(
        until(clock, doBackOff(pod, web, ended(), backOff)),
        'seconds: an exit with 0 has a back-off, too',
      ).toBe(10);
    });

    test('does not wait for a failure of another container or pod', () => {
      const { clock, backOff } = newContext();
      doBackOff(pod, web, exitedAt(clock, 0), backOff);
      const both = observed(pod, {
        web: exited(1, { finishedAtMs: clock.at(0) }),
        log: exited(1, { finishedAtMs: clock.at(0) }),
      });
      expect(doBackOff(pod, log, both, backOff), 'the back-off of web must not delay log').toBe(undefined);
      expect(
        doBackOff(pod, log, observed(pod, { web: running }), backOff),
        'a container that runs has no back-off',
      ).toBe(undefined);
      const namesake = { ...pod, metadata: { ...pod.metadata, uid: 'uid-2' } };
      expect(
        doBackOff(namesake, web, exitedAt(clock, 0), backOff),
        'another pod of the same name (another uid) has a back-off of its own',
      ).toBe(undefined);
      expect(doBackOff(pod, web, exitedAt(clock, 0), backOff), 'web itself is in back-off').toBeDefined();
    });

    test('resets with another image or other resources', () => {
      const { clock, backOff } = newContext();
      doBackOff(pod, web, exitedAt(clock, 0), backOff);
      expect(
        doBackOff(pod, { ...web, image: 'nginx:2' }, exitedAt(clock, 0), backOff),
        'another image resets the back-off',
      ).toBe(undefined);
      const bigger = { ...web, resources: { limits: { memory: '1Gi' } } };
      expect(doBackOff(pod, bigger, exitedAt(clock, 0), backOff), 'other resources reset the back-off').toBe(
        undefined,
      );
      const other = { ...web, command: ['nginx', '-g', 'daemon off;'] };
      expect(
        doBackOff(pod, other, exitedAt(clock, 0), backOff),
        'another command does not reset the back-off',
      ).toBeDefined();
    });

    test('waits at most as long as the kubelet is configured to', () => {
      const clock = stillClock();
      const backOff = new Backoff(crashLoopBackOff(clock, 5_000));
      doBackOff(pod, web, exitedAt(clock, 0), backOff);
      expect(
        until(clock, doBackOff(pod, web, exitedAt(clock, 0), backOff)),
        'seconds: the maximum of this kubelet is 5 s',
      ).toBe(5);
    });
  });
});
