import { useState } from 'preact/hooks';
import type { NodeDetails } from '../../protocol/details.ts';
import { formatBytes, sharedTimes } from './format.ts';
import { Lines, type PanelActions, Section, SubjectLink, When } from './parts.tsx';
import type { Tab } from './tabs.tsx';
import { inspectTexts } from './texts.ts';

const texts = inspectTexts.node;

/** Returns the tabs of a node. @param rules the words that its rules are filtered by at first */
export function nodeTabs(details: NodeDetails, actions: PanelActions, rules = ''): readonly Tab[] {
  const { containers, allocations, history } = details;
  const shared = sharedTimes(history.map(({ atMs }) => atMs));
  const tabs = inspectTexts.tabs;
  return [
    {
      id: 'containers',
      title: tabs.containers,
      count: containers.length,
      draw: () => <Containers details={details} actions={actions} />,
    },
    { id: 'disk', title: tabs.disk, draw: () => <DiskUse details={details} /> },
    {
      id: 'network',
      title: tabs.network,
      draw: () => <Network key={rules} details={details} rules={rules} />,
    },
    {
      id: 'ipam',
      title: tabs.ipam,
      draw: () => (
        <Section title={texts.allocations} isEmpty={allocations.length === 0} empty={texts.noAllocations}>
          {allocations.map(({ path, text }) => (
            <div class="inspect-file" key={path}>
              <code>{path}</code>
              <pre>{text.replace(/\r/g, '')}</pre>
            </div>
          ))}
        </Section>
      ),
    },
    {
      id: 'history',
      title: tabs.history,
      draw: () =>
        history.length === 0 ? (
          <p class="inspect-empty">{texts.noHistory}</p>
        ) : (
          <ol class="inspect-lines">
            {history.map(({ atMs, text }) => (
              <li key={`${atMs} ${text}`}>
                <When atMs={atMs} isExact={shared.has(atMs)} onTime={actions.onTime} /> {text}
              </li>
            ))}
          </ol>
        ),
    },
  ];
}

function Containers({ details, actions }: { readonly details: NodeDetails; readonly actions: PanelActions }) {
  const { node, containers } = details;
  const facts = [
    texts.ready[node.ready],
    node.isPowered ? texts.powered : texts.off,
    ...(node.isCordoned ? [texts.cordoned] : []),
    ...(node.isPartitioned ? [texts.partitioned] : []),
    ...node.pressures,
    ...node.taints.map(texts.taint),
  ];
  return (
    <>
      <p class="inspect-lead">
        {facts.join(', ')}.{' '}
        <SubjectLink
          subject={{ kind: 'object', resource: 'nodes', key: node.name }}
          onSubject={actions.onSubject}
        >
          Node {node.name}
        </SubjectLink>
      </p>
      <Section title={texts.processes}>
        <ul class="inspect-inline">
          {node.components.map(({ name }) => (
            <li key={name}>
              <SubjectLink subject={{ kind: 'component', name }} onSubject={actions.onSubject}>
                {name}
              </SubjectLink>
            </li>
          ))}
        </ul>
      </Section>
      {containers.length === 0 ? (
        <p class="inspect-empty">{texts.noContainers}</p>
      ) : (
        <ol class="inspect-entries">
          {containers.map(({ id, name, pod, state, attempt, image }) => (
            <li key={id}>
              <p>
                <strong>{name}</strong> {state}
                {attempt > 0 && <span class="inspect-soft">, {texts.attempt(attempt)}</span>}
              </p>
              <p>
                <SubjectLink
                  subject={{ kind: 'object', resource: 'pods', key: pod }}
                  onSubject={actions.onSubject}
                >
                  {pod}
                </SubjectLink>
              </p>
              <p class="inspect-soft">
                {image} <code>{id}</code>
              </p>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

function DiskUse({ details: { disk, images } }: { readonly details: NodeDetails }) {
  const { usedBytes, capacityBytes } = disk;
  const percent = capacityBytes === 0 ? 0 : Math.round((100 * usedBytes) / capacityBytes);
  const use = texts.used(formatBytes(usedBytes), formatBytes(capacityBytes), percent);
  return (
    <>
      <p class="inspect-lead">{use}</p>
      <meter min={0} max={100} low={80} high={85} optimum={0} value={percent} aria-label={use} />
      <Section title={texts.images}>
        <table class="inspect-table">
          <tbody>
            {images.map(({ name, bytes }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td class="inspect-number">{formatBytes(bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Section>
    </>
  );
}

function Network({
  details: { routes, rules },
  rules: first,
}: {
  readonly details: NodeDetails;
  readonly rules: string;
}) {
  const [text, setText] = useState(first);
  const words = text.split(/\s+/).filter(Boolean);
  const shown =
    words.length === 0 ? rules : rules.filter((line) => words.some((word) => line.includes(word)));
  const lists = [
    <Section key="routes" title={texts.routes} isEmpty={routes.length === 0} empty={texts.noRoutes}>
      <Lines lines={routes} />
    </Section>,
    <Section key="rules" title={texts.rules} isEmpty={rules.length === 0} empty={texts.noRules}>
      <label class="inspect-choose">
        {texts.filter}{' '}
        <input type="search" value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
      </label>
      <Lines lines={shown} />
    </Section>,
  ];
  // A reader who comes for rules sees them first.
  return <>{first === '' ? lists : lists.reverse()}</>;
}
