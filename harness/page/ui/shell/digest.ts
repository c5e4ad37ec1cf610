import type { Moment } from '../../protocol/message.ts';

/** Moments of one kind that happened at about the same time: one line of the news. */
export interface NewsItem {
  /** The first of them. */
  readonly moment: Moment;
  /** The number of the others. */
  readonly more: number;
}

/** The time within which moments of one kind are one item, in virtual ms. */
const WINDOW_MS = 1000;

/** The kinds that each reader wants to read one by one. */
const single: readonly Moment['kind'][] = [
  'action',
  'crash',
  'error',
  'fault-began',
  'fault-ended',
  'node',
  'rollout',
];

/**
 * Shortens moments to news, oldest first: thirty nodes that replace their rules are one item.
 *
 * @param moments in the order of their times
 */
export function digest(moments: readonly Moment[]): readonly NewsItem[] {
  const items: { moment: Moment; more: number }[] = [];
  const open = new Map<Moment['kind'], { moment: Moment; more: number }>();
  for (const moment of moments) {
    const item = open.get(moment.kind);
    if (item && moment.atMs - item.moment.atMs < WINDOW_MS && !single.includes(moment.kind)) {
      item.more += 1;
      continue;
    }
    const next = { moment, more: 0 };
    items.push(next);
    open.set(moment.kind, next);
  }
  return items;
}
