import type { Law } from '../holds.ts';
import type { RecordedRequest } from './recorder.ts';

/** The end of a run, as the laws at rest read it. */
interface RestRun {
  /** When the component had no obligation any more, in virtual ms; undefined if that never happened. */
  readonly restedMs: number | undefined;
  /** The obligations at the deadline: phrases that follow "it has still to". */
  readonly due: readonly string[];
  readonly leftMs: number;
  readonly requests: readonly RecordedRequest[];
}

/** Requests from before the rest may still be in flight, in ms. */
const LATE_MS = 2_000;

/** Liveness: eventually the component has no obligation. */
export const reachesRest: Law<RestRun> = ({ restedMs, due, leftMs }) =>
  restedMs !== undefined
    ? []
    : due.map((each) => ({ atMs: leftMs, message: `it has still to ${each}, and will not` }));

/** Liveness: after that, the component sends no write, not even after a restart. */
export const staysQuiet: Law<RestRun> = ({ restedMs, requests }) =>
  restedMs === undefined
    ? []
    : requests
        .filter(({ verb, sentMs }) => sentMs > restedMs + LATE_MS && verb !== 'get' && verb !== 'list')
        .map(({ verb, resource, name = '', sentMs }) => ({
          atMs: sentMs,
          message: `the controller sends ${verb} ${resource}/${name}, although everything was correct`,
          object: name,
        }));
