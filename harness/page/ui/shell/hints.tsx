import type { Action } from '../../protocol/recipe.ts';
import { usePage, useRun } from '../page-context.ts';
import { texts } from '../texts.ts';

/** Three things to try, one press each. */
export function Hints({ sample, onHide }: { readonly sample: string; readonly onHide: () => void }) {
  const { service, select, playSlowly, report } = usePage();
  const isOff = useRun(({ view }) => view === undefined);
  const act = (action: Action) => service.act(action).catch(report);
  const words = texts.hints;
  return (
    <section class="hints">
      <h2>{words.title}</h2>
      <button type="button" class="link hints-hide" onClick={onHide}>
        {words.close}
      </button>
      <ol>
        <Hint
          title={words.apply}
          detail={words.applyDetail}
          isOff={isOff}
          onPress={() => {
            playSlowly();
            act({ do: 'kubectl', line: 'apply -f -', manifest: sample });
          }}
        />
        <Hint
          title={words.kill}
          detail={words.killDetail}
          isOff={isOff}
          onPress={() => act({ do: 'fault', fault: { fault: 'node-death', node: 'node-2' } })}
        />
        <Hint
          title={words.scheduler}
          detail={words.schedulerDetail}
          isOff={isOff}
          onPress={() => select({ kind: 'component', name: 'default-scheduler' })}
        />
      </ol>
    </section>
  );
}

interface HintProps {
  readonly title: string;
  readonly detail: string;
  readonly isOff: boolean;
  readonly onPress: () => void;
}

function Hint({ title, detail, isOff, onPress }: HintProps) {
  return (
    <li>
      <button type="button" class="hint" disabled={isOff} onClick={onPress}>
        <span class="hint-title">{title}</span>
        <span class="hint-detail">{detail}</span>
      </button>
    </li>
  );
}
