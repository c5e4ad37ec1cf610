import type { ReplayKind } from '../../../workbook/replay.ts';

/** The outline of each kind of entry, around its center: shapes distinguish kinds without colours. */
const shapes: Readonly<Record<ReplayKind, string>> = {
  request: 'M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0Z',
  call: 'M-3.6-3.6h7.2v7.2h-7.2Z',
  event: 'M-4.5-3.5h9L0 4.5Z',
  fault: 'M1.5-6-4 1h3.2L-1.6 6 4-1.2H.8Z',
  log: 'M-4-2.4H4M-4 .2H4M-4 2.8H1',
  error: 'M-4-4 4 4M4-4-4 4',
  violation: 'M0-7 6.5 5h-13Z',
};

/** The mark of an entry, in a picture or in a line of text. */
export function EntryMark({
  kind,
  x = 0,
  y = 0,
}: {
  readonly kind: ReplayKind;
  readonly x?: number;
  readonly y?: number;
}) {
  return <path class={`entry-mark mark-kind-${kind}`} d={shapes[kind]} transform={`translate(${x} ${y})`} />;
}

/** The mark of a kind beside its name. */
export function KindGlyph({ kind }: { readonly kind: ReplayKind }) {
  return (
    <svg class="kind-glyph" viewBox="-8 -8 16 16" aria-hidden="true">
      <EntryMark kind={kind} />
    </svg>
  );
}
