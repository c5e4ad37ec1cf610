import type { parts } from './components/index.ts';
import type { PortOf } from './components/part.ts';

export type * from './component-context.ts';

/** The components of a cluster by name, each with the type of its port. Each kata adds its own, in `components/NN-name.ts`. */
export type Components = {
  readonly [Name in keyof typeof parts]: PortOf<(typeof parts)[Name]>;
};
