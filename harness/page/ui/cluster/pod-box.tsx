import type { PodView } from '../../protocol/view.ts';
import { memo } from '../memo.ts';
import { Box } from './box.tsx';
import type { Density } from './density.ts';
import { MarkGlyph } from './mark-glyph.tsx';
import { labelOf, markOf, splitName } from './pod-mark.ts';

/** Properties of a pod. Plain values, so that it is drawn again only when it has changed. */
export interface PodBoxProps {
  readonly pod: PodView;
  readonly size: Density['pods'];
  /** The number of its owner's colour, -1 for none. */
  readonly colour: number;
  /** Whether its ReplicaSet is not the newest. */
  readonly isOld: boolean;
  /** Whether its node does not report. */
  readonly isLost?: boolean;
}

/** A pod: a line, a chip or a cell. */
export const PodBox = memo(({ pod, size, colour, isOld, isLost = false }: PodBoxProps) => {
  const { shape, tone, word } = markOf(pod, isLost);
  const { head, tail } = splitName(pod.name);
  return (
    <Box
      place={`pod:${pod.namespace}/${pod.name}`}
      subject={{ kind: 'object', resource: 'pods', key: `${pod.namespace}/${pod.name}` }}
      label={labelOf(pod, isLost)}
      className={`pod pod-${size} owner-${colour < 0 ? 'none' : colour}${isOld ? ' is-old' : ''}`}
    >
      <MarkGlyph shape={shape} tone={tone} />
      {size !== 'cells' && (
        <span class="pod-name">
          <span class="pod-head">{head}</span>
          <span class="pod-tail">{tail}</span>
        </span>
      )}
      {size === 'rows' && pod.restarts > 0 && <span class="pod-restarts">↻{pod.restarts}</span>}
      {size === 'rows' && <span class={`pod-word tone-${tone}`}>{word}</span>}
    </Box>
  );
}, 'PodBox');
