import type { Act } from '../act.ts';
import type { Input, Values } from '../input.ts';

/** An item of a menu. */
export interface MenuItem {
  /** Unique in its menu. */
  readonly id: string;
  readonly label: string;
  /** The values to choose first; an item without inputs acts at once. */
  readonly inputs: readonly Input[];
  /** Returns the act for these values: all inputs have one, and no input objects to it. */
  act(values: Values): Act;
}

/** Items under a common heading. */
export interface MenuSection {
  readonly heading: string;
  readonly items: readonly MenuItem[];
}
