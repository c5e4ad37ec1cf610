import fc from 'fast-check';
import type { Fault } from '../../../faults/index.ts';
import { type JobName, type JobShape, type Operation, PROCESS, type Step } from '../operations.ts';

/** Generates the steps to one situation. */
export type Recipe = fc.Arbitrary<readonly Step[]>;

/** A fault, after a pause. */
export const strike = (fault: Fault, afterMs = 0): Step => ({ afterMs, strike: fault });
/** An operation, after a pause. */
export const step = (operation: Operation, afterMs = 0): Step => ({ afterMs, ...operation });
/** A pause. */
export const nothing = (afterMs: number): Step => step({ do: 'nothing' }, afterMs);
/** A user creates `pi`. */
export const create = (shape: JobShape, afterMs = 0, job: JobName = 'pi'): Step =>
  step({ do: 'create', job, shape }, afterMs);
/** A user changes the spec of `pi`. */
export const edit = (shape: JobShape, afterMs = 0): Step => step({ do: 'edit', job: 'pi', shape }, afterMs);
/** A user annotates `pi`. */
export const touch = (afterMs = 0): Step => step({ do: 'touch', job: 'pi' }, afterMs);
/** All pending pods run. */
export const run = (afterMs = 500): Step => step({ do: 'run' }, afterMs);
/** A running pod ends. */
export const end = (pod: number, code: number, afterMs = 0): Step => step({ do: 'end', pod, code }, afterMs);
/** All running pods end. */
export const endAll = (code: number, afterMs = 0): Step => step({ do: 'end-all', code }, afterMs);
/** A user deletes `pi`. */
export const remove = (how: 'Background' | 'Foreground' | 'Orphan', afterMs = 0): Step =>
  step({ do: 'delete', job: 'pi', how }, afterMs);
/** The garbage collector handles all pods. */
export const collect = (afterMs = 0): Step => step({ do: 'collect', pods: 9 }, afterMs);
/** Terminating pods stop. */
export const reap = (afterMs = 0, code = 143): Step => step({ do: 'reap', code }, afterMs);
/** Delays the watch events of a resource. */
export const holdBack = (resource: 'pods' | 'jobs', forMs: number, afterMs = 0): Step =>
  strike({ fault: 'delay-watches', process: PROCESS, resource, forMs }, afterMs);
/** Refuses requests of one verb. */
export const refuse = (
  verb: string,
  requests: number,
  reason: Extract<Fault, { fault: 'refuse' }>['reason'] = 'InternalError',
  afterMs = 0,
): Step => strike({ fault: 'refuse', process: PROCESS, reason, requests, verb }, afterMs);
/** Crashes the controller at a request, after others. */
export const crash = (skip: number, performed: boolean, restartAfterMs = 50, afterMs = 0): Step =>
  strike({ fault: 'crash', process: PROCESS, skip, performed, restartAfterMs }, afterMs);

/** A small number of pods. */
export const few = fc.integer({ min: 1, max: 4 });
/** A pause in which all work in progress ends. */
export const calmMs = fc.integer({ min: 2_000, max: 10_000 });
/** An exit code: success or failure. */
export const codes = fc.constantFrom(0, 1);
/** Both completion modes. */
export const modes = fc.constantFrom<Pick<JobShape, 'completionMode'>>({}, { completionMode: 'Indexed' });
/** Both replacement policies. */
export const replacements = fc.constantFrom<Pick<JobShape, 'podReplacementPolicy'>>(
  {},
  { podReplacementPolicy: 'Failed' },
);
