import type { ApiServerDetails } from '../../protocol/details.ts';
import { Changes, type PanelActions, RequestLink, SubjectLink, When } from './parts.tsx';
import type { Tab } from './tabs.tsx';
import { inspectTexts } from './texts.ts';

const texts = inspectTexts.apiserver;

/** Returns the tabs of an apiserver. */
export function apiServerTabs(details: ApiServerDetails, actions: PanelActions): readonly Tab[] {
  const { log, watches, revision, compactedRevision } = details;
  return [
    {
      id: 'revisions',
      title: inspectTexts.tabs.revisionLog,
      draw: () => (
        <>
          <p class="inspect-lead">
            {texts.head(revision, compactedRevision)}. <span class="inspect-soft">{texts.leftOut}</span>
          </p>
          <ol class="inspect-log">
            {log.map((each) => (
              <Write key={each.revision} write={each} actions={actions} />
            ))}
          </ol>
        </>
      ),
    },
    {
      id: 'watches',
      title: inspectTexts.tabs.watches,
      count: watches.length,
      draw: () => <Watches watches={watches} actions={actions} />,
    },
  ];
}

function Write({
  write: { revision, atMs, actor, verb, subject, label, changes, message },
  actions,
}: {
  readonly write: ApiServerDetails['log'][number];
  readonly actions: PanelActions;
}) {
  return (
    <li>
      <details>
        <summary>
          <span class="inspect-revision">{revision}</span>
          <span>
            {verb} {label} <span class="inspect-soft">{actor}</span>
          </span>
        </summary>
        <p>
          <When atMs={atMs} onTime={actions.onTime} />{' '}
          <SubjectLink subject={subject} onSubject={actions.onSubject}>
            {label}
          </SubjectLink>
          <RequestLink message={message} onSubject={actions.onSubject} />
        </p>
        {changes.length > 0 && <Changes changes={changes} />}
      </details>
    </li>
  );
}

function Watches({
  watches,
  actions,
}: {
  readonly watches: ApiServerDetails['watches'];
  readonly actions: PanelActions;
}) {
  if (watches.length === 0) return <p class="inspect-empty">{texts.noWatches}</p>;
  return (
    <table class="inspect-table">
      <caption class="inspect-hidden">{texts.watches(watches.length)}</caption>
      <thead>
        <tr>
          <th scope="col">{texts.watcher}</th>
          <th scope="col">{texts.watched}</th>
          <th scope="col" class="inspect-number">
            {texts.at}
          </th>
        </tr>
      </thead>
      <tbody>
        {watches.map(({ actor, resource, revision }) => (
          <tr key={`${actor} ${resource}`}>
            <th scope="row">
              <SubjectLink subject={{ kind: 'component', name: actor }} onSubject={actions.onSubject}>
                {actor}
              </SubjectLink>
            </th>
            <td>{resource}</td>
            <td class="inspect-number">{revision}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
