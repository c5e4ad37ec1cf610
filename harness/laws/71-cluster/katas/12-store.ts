import { storeLaws } from '../../12-store/index.ts';
import type { KataInCluster } from './kata.ts';

const NO_STORE =
  'a whole cluster keeps its objects in the log of the harness: no component of kata 12 runs, whose calls a law could read';

/** No law of kata 12: see the reason. */
export const store: KataInCluster = {
  kata: '12-store',
  laws: {},
  leftOut: Object.fromEntries(Object.keys(storeLaws).map((name) => [name, NO_STORE])),
};
