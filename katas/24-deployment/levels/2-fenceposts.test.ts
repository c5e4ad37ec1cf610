import { describe, expect, test } from 'vitest';
import { type Deployment, NotImplemented } from '#harness';
import { ruleFor, vectors } from '#harness/testing';
import { fencepostsOf, resolveFenceposts } from '#kata/24-deployment/deployment';
import { aDeployment } from '#laws/24-deployment';
import { named, table } from './tables.fixture.ts';

/** Expects an Error, in whatever words. */
function expectRefusal(run: () => unknown, rule: string): void {
  let thrown: unknown;
  try {
    run();
  } catch (error) {
    if (error instanceof NotImplemented) throw error;
    thrown = error;
  }
  expect(thrown, rule).toBeInstanceOf(Error);
}

describe('Level 2 · Fenceposts', () => {
  interface Posts {
    readonly maxSurge: number | string | null;
    readonly maxUnavailable: number | string | null;
    readonly replicas: number;
  }
  interface PostsExpect {
    readonly surge: number;
    readonly unavailable: number;
    readonly error?: boolean;
  }
  test.each(table<Posts, PostsExpect>('resolveFenceposts', 9))(
    'resolves fenceposts as Kubernetes does: %s',
    (_, { input, expect: { surge, unavailable, error } }) => {
      const resolve = () =>
        resolveFenceposts(input.maxSurge ?? undefined, input.maxUnavailable ?? undefined, input.replicas);
      if (error) {
        expectRefusal(resolve, ruleFor('resolveFenceposts must throw: a value is invalid', input));
        return;
      }
      expect(
        resolve(),
        ruleFor(
          'maxSurge is rounded up and maxUnavailable down; if both are then 0, maxUnavailable must be 1, or nothing could move',
          input,
        ),
      ).toEqual({ maxSurge: surge, maxUnavailable: unavailable });
    },
  );

  interface Scaled {
    readonly value: number | string | null;
    readonly total: number;
    readonly roundUp: boolean;
  }
  const scaled = vectors<Scaled, { value?: number; error?: boolean }>(
    'intstr',
    'scaled',
    10,
    // An absent value is 0 here.
  ).filter(({ input: { value } }) => value !== null);
  test.each(named(scaled))('rounds as the API machinery does: %s', (_, { input, expect: wanted }) => {
    const { value, total, roundUp } = input;
    // The other one is 1, so that nothing is stuck.
    const resolve = () =>
      roundUp
        ? resolveFenceposts(value ?? 0, 1, total).maxSurge
        : resolveFenceposts(1, value ?? 0, total).maxUnavailable;
    if (wanted.error)
      expectRefusal(resolve, ruleFor('resolveFenceposts must throw: the value is invalid', input));
    else
      expect(
        resolve(),
        ruleFor('a percentage of total, rounded up for maxSurge and down for maxUnavailable', input),
      ).toBe(wanted.value);
  });

  test('rejects "25" as a percentage', () => {
    expectRefusal(() => resolveFenceposts('25', 0, 10), 'maxSurge "25" is neither a number nor a percentage');
    expectRefusal(
      () => resolveFenceposts(0, '25', 10),
      'maxUnavailable "25" is neither a number nor a percentage',
    );
  });

  interface Posted extends Partial<Posts> {
    readonly strategy: 'RollingUpdate' | 'Recreate';
  }
  const posted = ({ strategy, replicas, maxSurge: surge, maxUnavailable: unavailable }: Posted): Deployment =>
    aDeployment({
      strategy,
      replicas: replicas ?? 1,
      maxSurge: surge ?? 0,
      maxUnavailable: unavailable ?? 0,
    });
  test.each(table<Posted, { maxUnavailable: number }>('maxUnavailable', 5))(
    'computes maxUnavailable as Kubernetes does: %s',
    (_, { input, expect: wanted }) =>
      expect(
        fencepostsOf(posted(input)).maxUnavailable,
        ruleFor('rounded down, never above replicas, 0 under Recreate, 1 if both fenceposts are 0', input),
      ).toBe(wanted.maxUnavailable),
  );

  test.each(table<Posted, { minAvailable: number }>('minAvailable', 5))(
    'computes minAvailable as Kubernetes does: %s',
    (_, { input, expect: wanted }) => {
      const deployment = posted(input);
      const { maxUnavailable } = fencepostsOf(deployment);
      expect(
        deployment.spec.replicas - maxUnavailable,
        ruleFor('replicas less fencepostsOf(deployment).maxUnavailable', input),
      ).toBe(wanted.minAvailable);
    },
  );

  test('allows neither surge nor unavailable pods under Recreate', () => {
    const deployment = aDeployment({ strategy: 'Recreate', replicas: 4 });
    expect(fencepostsOf(deployment), 'Recreate uses neither').toEqual({ maxSurge: 0, maxUnavailable: 0 });
  });

  test('rounds surge up and unavailable down', () => {
    const deployment = aDeployment({ replicas: 10, maxSurge: '25%', maxUnavailable: '25%' });
    expect(fencepostsOf(deployment), '25% of 10 is 2.5').toEqual({ maxSurge: 3, maxUnavailable: 2 });
  });

  test('allows one unavailable pod if both round to 0', () => {
    const deployment = aDeployment({ replicas: 5, maxSurge: 0, maxUnavailable: '10%' });
    expect(
      fencepostsOf(deployment),
      'a surge of 0, and 10% of 5 is 0.5, rounded down to 0: nothing could move',
    ).toEqual({ maxSurge: 0, maxUnavailable: 1 });
  });
});
