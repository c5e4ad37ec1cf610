import { useEffect, useMemo, useState } from 'preact/hooks';
import { groupResource, resources } from '../../../api/resource.ts';
import { firstPod, type SequenceDiagram } from '../../../drawing/sequence/diagram.ts';
import { sayAction } from '../../share/say-action.ts';
import { usePage, useRun } from '../page-context.ts';
import { formatTime } from '../time-line/format-time.ts';
import { SequenceView } from './sequence-view.tsx';
import { sequenceTexts as texts } from './texts.ts';

/** The longest stretch after an action that the diagram draws, in virtual ms. */
const STRETCH_MS = 20_000;

/** The sequence diagram of what followed an action: an apply from kubectl to Running. */
export function SequenceDrawer() {
  const { service, select, report } = usePage();
  const actions = useRun((state) => state.actions);
  const nowMs = useRun((state) => state.nowMs);
  const isPlaying = useRun(({ phase }) => phase === 'playing');
  const commands = useMemo(() => actions.filter((action) => action.do === 'kubectl'), [actions]);
  const [chosen, setChosen] = useState<number>();
  const [drawn, setDrawn] = useState<readonly SequenceDiagram[]>();
  const index = chosen ?? commands.length - 1;
  const command = commands[index];
  const next = commands[index + 1];
  const fromMs = command?.atMs ?? 0;
  const endMs = Math.min(next?.atMs ?? Number.POSITIVE_INFINITY, fromMs + STRETCH_MS);
  // While the run plays, once a virtual second is enough for a reader.
  const seenMs = isPlaying ? Math.floor(nowMs / 1_000) * 1_000 : nowMs;
  const toMs = Math.min(endMs, seenMs);
  useEffect(() => {
    if (!command) return;
    let isLate = false;
    const draw = async (): Promise<void> => {
      const all = await service.sequence({ fromMs, toMs });
      const pod = firstPod(all)?.replace(/^pods\//, '');
      const one = pod === undefined ? [] : [await service.sequence({ fromMs, toMs, pod })];
      if (!isLate) setDrawn([all, ...one]);
    };
    draw().catch(report);
    return () => {
      isLate = true;
    };
  }, [service, report, command, fromMs, toMs]);
  if (!command) return <p class="empty">{texts.noCommand}</p>;
  const [diagram, one] = drawn ?? [];
  const pod = one && firstPod(one)?.split('/').at(-1);
  const lead = (
    <label>
      {texts.after}{' '}
      <select value={index} onChange={(event) => setChosen(Number(event.currentTarget.value))}>
        {commands.map((each, at) => (
          <option key={`${each.atMs} ${at}`} value={at}>
            {`${formatTime(each.atMs)} ${sayAction(each)}`}
          </option>
        ))}
      </select>
    </label>
  );
  if (!diagram) return lead;
  return (
    <SequenceView
      diagram={diagram}
      {...(one && pod !== undefined && { onePod: { name: pod, diagram: one } })}
      nowMs={nowMs}
      lead={lead}
      name={sayAction(command)}
      onStep={(atMs) => void service.seek(atMs).catch(report)}
      onObject={(object) => {
        const [plural = '', ...key] = object.split('/');
        const known = resources.find((one) => one.plural === plural);
        const resource = known ? groupResource(known) : plural;
        select({ kind: 'object', resource, key: key.join('/') });
      }}
    />
  );
}
