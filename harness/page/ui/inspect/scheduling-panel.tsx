import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { ComponentDetails } from '../../protocol/details.ts';
import { formatWhen } from './format.ts';
import { type PanelActions, SubjectLink, When } from './parts.tsx';
import { inspectTexts } from './texts.ts';

const texts = inspectTexts.scheduling;

type Table = ComponentDetails['scheduling'][number];

/** Properties of {@link SchedulingPanel}. */
interface SchedulingPanelProps {
  /** Newest first. */
  readonly tables: readonly Table[];
  readonly actions: PanelActions;
}

/** The scheduler's decisions, one at a time: every node with its rejections or scores. */
export function SchedulingPanel({ tables, actions }: SchedulingPanelProps) {
  const [open, setOpen] = useState<string>();
  const [newest] = tables;
  if (!newest) return <p class="inspect-empty">{texts.none}</p>;
  const shown = tables.find((each) => nameOf(each) === open) ?? newest;
  return (
    <>
      <label class="inspect-choose">
        {texts.choose}{' '}
        <select value={nameOf(shown)} onChange={({ currentTarget }) => setOpen(currentTarget.value)}>
          {tables.map((each) => (
            <option key={nameOf(each)} value={nameOf(each)}>
              {`${formatWhen(each.atMs)}  ${podOf(each)}  ${each.chosen ?? (each.best.length === 0 ? texts.nowhere : '')}`}
            </option>
          ))}
        </select>
      </label>
      <p>
        <When atMs={shown.atMs} onTime={actions.onTime} />{' '}
        <SubjectLink
          subject={{ kind: 'object', resource: 'pods', key: podOf(shown) }}
          onSubject={actions.onSubject}
        >
          Pod {podOf(shown)}
        </SubjectLink>
      </p>
      <Scores table={shown} />
    </>
  );
}

function Scores({ table }: { readonly table: Table }) {
  const plugins = [...new Set(table.nodes.flatMap(({ scores }) => scores.map(({ plugin }) => plugin)))];
  return (
    <div class="inspect-wide">
      <table class="inspect-table inspect-scores">
        <caption class="inspect-hidden">{texts.caption(podOf(table))}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.node}</th>
            {plugins.map((plugin) => (
              <th key={plugin} scope="col" class="inspect-number">
                <Broken name={plugin} />
              </th>
            ))}
            <th scope="col" class="inspect-number">
              {texts.total}
            </th>
          </tr>
        </thead>
        <tbody>
          {table.nodes.map((verdict) => (
            <Verdict key={verdict.node} verdict={verdict} table={table} plugins={plugins} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Verdict({
  verdict: { node, rejections, scores, total },
  table: { best, chosen },
  plugins,
}: {
  readonly verdict: Table['nodes'][number];
  readonly table: Table;
  readonly plugins: readonly string[];
}) {
  const isChosen = node === chosen;
  const mark = isChosen ? texts.chosen : best.includes(node) && best.length > 1 ? texts.best : '';
  return (
    <tr class={isChosen ? 'inspect-chosen' : ''}>
      <th scope="row">
        {node} {mark !== '' && <span class="inspect-mark">{mark}</span>}
      </th>
      {rejections.length > 0 ? (
        <td colSpan={plugins.length + 1} class="inspect-rejected">
          <span aria-hidden="true">✗ </span>
          {texts.rejected}: {rejections.map(({ plugin, reasons }) => `${plugin} – ${reasons}`).join('; ')}
        </td>
      ) : (
        <>
          {plugins.map((plugin) => {
            const score = scores.find((each) => each.plugin === plugin);
            return (
              <td key={plugin} class="inspect-number">
                {score ? score.weighted : '–'}
                {score && <span class="inspect-product">{texts.score(score)}</span>}
              </td>
            );
          })}
          <td class="inspect-number">
            <strong>{total}</strong>
          </td>
        </>
      )}
    </tr>
  );
}

/** A name that may break between its words: `NodeResources` and `Fit`. */
function Broken({ name }: { readonly name: string }) {
  const words = name.split(/(?<=[a-z])(?=[A-Z])/);
  return (
    <span>
      {words.map((word, i) => (
        <Fragment key={word}>
          {i > 0 && <wbr />}
          {word}
        </Fragment>
      ))}
    </span>
  );
}

function podOf({ pod }: Table): string {
  return pod.replace(/^pods\//, '');
}

function nameOf(table: Table): string {
  return `${table.atMs} ${table.pod}`;
}
