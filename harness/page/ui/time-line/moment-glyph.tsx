import type { Moment } from '../../protocol/message.ts';

/** Draws the shape of a kind of moment. A second line under it says that several moments share the mark. */
export function MomentGlyph({ kind, count }: { readonly kind: Moment['kind']; readonly count: number }) {
  return (
    <svg class="moment-glyph" viewBox="0 0 14 18" aria-hidden="true">
      {shapes[kind]}
      {count > 1 && <path d="M3 16.5h8" stroke="currentColor" stroke-width="1.5" fill="none" />}
    </svg>
  );
}

const filled = { fill: 'currentColor' } as const;
const hollow = { fill: 'none', stroke: 'currentColor', 'stroke-width': 1.5 } as const;

const shapes: Readonly<Record<Moment['kind'], preact.JSX.Element>> = {
  // A flag: the reader's own acts.
  action: <path d="M3.5 14V1.5h8L8.8 4.4l2.7 3h-6.6V14z" {...filled} />,
  'pod-ready': <circle cx="7" cy="8" r="4" {...filled} />,
  'pod-unready': <path d="M7 4a4 4 0 0 0 0 8zM7 4a4 4 0 0 1 0 8" {...hollow} fill="none" />,
  'pod-evicted': <path d="M2.5 8h6M6 5l3 3-3 3M11.5 3.5v9" {...hollow} />,
  'pod-deleted': <path d="M3 8h8" {...hollow} stroke-width={2.4} />,
  scheduled: <path d="M7 3v8M3.8 8L7 11.4 10.2 8" {...hollow} />,
  rollout: <path d="M2.5 5.5L7 10l4.5-4.5" {...hollow} stroke-width={2} />,
  endpoints: <circle cx="7" cy="8" r="3.5" {...hollow} />,
  rules: <path d="M3 5.5h8M3 8h8M3 10.5h8" {...hollow} stroke-width={1.1} />,
  'fault-began': <path d="M8.4 1.5L3.6 8.8h3.2L5.6 14.5l4.8-7.6H7.2z" {...filled} />,
  'fault-ended': <path d="M8.4 1.5L3.6 8.8h3.2L5.6 14.5l4.8-7.6H7.2z" {...hollow} stroke-width={1.1} />,
  node: <path d="M3 4h8v8H3z" {...hollow} />,
  crash: <path d="M3 4l8 8M11 4l-8 8" {...hollow} stroke-width={2.2} />,
  error: <path d="M7 2.5l5 9.5H2z" {...hollow} />,
};
