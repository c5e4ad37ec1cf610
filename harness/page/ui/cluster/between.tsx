import type { FaultView, PlaceId, PodView } from '../../protocol/view.ts';
import { memo } from '../memo.ts';
import { useRun } from '../page-context.ts';
import { texts } from '../texts.ts';
import { formatShort } from '../time-line/format-time.ts';
import { MarkGlyph } from './mark-glyph.tsx';
import type { OwnerMarks } from './owner-marks.ts';
import { PodBox } from './pod-box.tsx';
import { countWords } from './pod-mark.ts';

/** The number of pending pods that have room for their names. */
const CHIPS_MAX = 3;

/** The number of faults that have room. */
const FAULTS_MAX = 3;

/** The strip between control plane and nodes: the pods without a node, and the faults. */
export const Between = memo(
  ({
    pending,
    faults,
    marks,
  }: {
    readonly pending: readonly PodView[];
    readonly faults: readonly FaultView[];
    readonly marks: OwnerMarks;
  }) => {
    const size = pending.length > CHIPS_MAX ? 'cells' : 'chips';
    return (
      <div class="between">
        <section class="pending" aria-label={texts.pending.title}>
          <h2>{texts.pending.title}</h2>
          {pending.length === 0 ? (
            <span class="empty">{texts.pending.none}</span>
          ) : (
            <div class={`pods pods-${size}`}>
              {pending.slice(0, 24).map((pod) => {
                const { colour, isOld } = marks.ofPod(pod);
                return <PodBox key={pod.uid} pod={pod} size={size} colour={colour ?? -1} isOld={isOld} />;
              })}
            </div>
          )}
          {size === 'cells' && <span class="tone-warn">{countWords(pending)}</span>}
        </section>
        <section class="faults" aria-label={texts.faults.title}>
          <h2>{texts.faults.title}</h2>
          {faults.length === 0 && <span class="empty">{texts.faults.none}</span>}
          {faults.slice(0, FAULTS_MAX).map((fault) => (
            <Fault key={`${fault.text} ${fault.sinceMs}`} fault={fault} />
          ))}
          {faults.length > FAULTS_MAX && <span>{texts.node.more(faults.length - FAULTS_MAX)}</span>}
        </section>
      </div>
    );
  },
  'Between',
);

const Fault = memo(({ fault }: { readonly fault: FaultView }) => {
  const { text, untilMs, target } = fault;
  const seconds = useRun(({ nowMs }) =>
    untilMs === undefined ? undefined : Math.max(0, Math.ceil((untilMs - nowMs) / 1000)),
  );
  const waits = isProcess(target) ? texts.faults.waits : texts.faults.lasts;
  return (
    <span class="fault" title={text}>
      <MarkGlyph shape="cross" tone="bad" />
      <span class="fault-text">{text}</span>
      <span class="fault-end">
        {seconds === undefined ? waits : texts.faults.left(formatShort(seconds * 1000))}
      </span>
    </span>
  );
}, 'Fault');

const isProcess = (target: PlaceId): boolean => target.startsWith('process:');
