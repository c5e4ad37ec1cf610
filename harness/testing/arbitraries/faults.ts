import fc from 'fast-check';
import type { Fault, ScheduledFault } from '../../faults/index.ts';
import { durations } from './time.ts';

/** Generates faults between a process and the apiserver, and of the apiserver itself. The process survives them. */
export function apiFaults(process: string): fc.Arbitrary<Fault> {
  return fc.oneof(
    fc.record({ fault: fc.constant('cut-watches' as const), process: fc.constant(process) }),
    fc.record({ fault: fc.constant('compact' as const) }),
    fc.record({ fault: fc.constant('lag' as const), replica: replicas, forMs: durations }),
    fc.record({ fault: fc.constant('restart-apiserver' as const), replica: replicas, forMs: durations }),
    fc.record({
      fault: fc.constant('delay-watches' as const),
      process: fc.constant(process),
      forMs: durations,
    }),
    fc.record({
      fault: fc.constant('fail-watches' as const),
      process: fc.constant(process),
      reason: fc.constantFrom(
        'Expired' as const,
        'InternalError' as const,
        'TooManyRequests' as const,
        'Timeout' as const,
      ),
    }),
    fc.record({
      fault: fc.constant('refuse' as const),
      process: fc.constant(process),
      reason: fc.constantFrom(
        'TooManyRequests' as const,
        'InternalError' as const,
        'ServiceUnavailable' as const,
        'Expired' as const,
        'Conflict' as const,
      ),
      requests: fc.integer({ min: 1, max: 4 }),
    }),
    fc.record({
      fault: fc.constant('time-out' as const),
      process: fc.constant(process),
      performed: fc.boolean(),
    }),
  );
}

/** Generates crashes of the process between two requests, with a restart. */
export function crashes(process: string): fc.Arbitrary<Fault> {
  return fc.record({
    fault: fc.constant('crash' as const),
    process: fc.constant(process),
    skip: fc.nat({ max: 8 }),
    performed: fc.boolean(),
    restartAfterMs: durations,
  });
}

/** Generates faults of a node and of everything on it. */
export function nodeFaults(node: string): fc.Arbitrary<Fault> {
  return fc.oneof(
    fc.record({ fault: fc.constant('partition' as const), node: fc.constant(node), forMs: durations }),
    fc.record({ fault: fc.constant('node-death' as const), node: fc.constant(node) }),
    fc.record({
      fault: fc.constant('clock-jump' as const),
      node: fc.constant(node),
      byMs: fc.integer({ min: -3_600_000, max: 3_600_000 }),
    }),
  );
}

/** Generates failing calls of a container runtime or a network plugin, before or after they take effect. */
export function callFaults(process: string): fc.Arbitrary<Fault> {
  return fc.record({
    fault: fc.constant('fail-call' as const),
    process: fc.constant(process),
    port: fc.constantFrom('cri' as const, 'cni' as const),
    performed: fc.boolean(),
  });
}

/**
 * Generates a plan of faults within a span of virtual time, sorted by time.
 *
 * Each arbitrary takes the target of its faults, so that every generated fault hits an existing target.
 */
export function faultSchedules(
  faults: fc.Arbitrary<Fault>,
  withinMs: number,
): fc.Arbitrary<ScheduledFault[]> {
  const one = fc.tuple(faults, fc.nat({ max: withinMs })).map(([fault, atMs]) => ({ ...fault, atMs }));
  return fc.array(one, { maxLength: 6 }).map((plan) => plan.toSorted((a, b) => a.atMs - b.atMs));
}

const replicas = fc.constantFrom(0, 1);
