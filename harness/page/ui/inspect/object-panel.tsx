import type { EventDetails, ObjectDetails, RevisionDetails } from '../../protocol/details.ts';
import { sharedTimes } from './format.ts';
import {
  Changes,
  type PanelActions,
  Plain,
  RequestLink,
  Section,
  SubjectLink,
  When,
  Yaml,
} from './parts.tsx';
import type { Tab } from './tabs.tsx';
import { inspectTexts as texts } from './texts.ts';

/** Returns the tabs of an object. */
export function objectTabs(details: ObjectDetails, actions: PanelActions): readonly Tab[] {
  const { yaml, describe, revisions, events } = details;
  const shared = sharedTimes(revisions.map(({ atMs }) => atMs));
  return [
    {
      id: 'yaml',
      title: texts.tabs.yaml,
      draw: () => (
        <>
          {yaml === undefined ? <p class="inspect-empty">{texts.object.deleted}</p> : <Yaml text={yaml} />}
          <Related details={details} actions={actions} />
        </>
      ),
    },
    {
      id: 'revisions',
      title: texts.tabs.revisions,
      count: revisions.length,
      draw: () => (
        <ol class="inspect-revisions">
          {revisions.map((each) => (
            <Revision key={each.revision} revision={each} isExact={shared.has(each.atMs)} actions={actions} />
          ))}
        </ol>
      ),
    },
    {
      id: 'describe',
      title: texts.tabs.describe,
      draw: () =>
        describe === undefined ? (
          <p class="inspect-empty">{texts.object.noDescription}</p>
        ) : (
          <Plain text={describe} />
        ),
    },
    {
      id: 'events',
      title: texts.tabs.events,
      count: events.length,
      draw: () =>
        events.length === 0 ? (
          <p class="inspect-empty">{texts.object.noEvents}</p>
        ) : (
          <Events events={events} actions={actions} />
        ),
    },
  ];
}

function Related({ details, actions }: { readonly details: ObjectDetails; readonly actions: PanelActions }) {
  if (details.related.length === 0) return null;
  return (
    <Section title={texts.object.related}>
      <ul class="inspect-related">
        {details.related.map(({ relation, subject, label }) => (
          <li key={`${relation} ${label}`}>
            <span class="inspect-soft">{relation}</span>{' '}
            <SubjectLink subject={subject} onSubject={actions.onSubject}>
              {label}
            </SubjectLink>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Revision({
  revision,
  isExact,
  actions,
}: {
  readonly isExact: boolean;
  readonly revision: RevisionDetails;
  readonly actions: PanelActions;
}) {
  const { atMs, actor, verb, changes } = revision;
  return (
    <li>
      <p class="inspect-revision">
        <strong>{texts.when.revision(revision.revision)}</strong>{' '}
        <When atMs={atMs} isExact={isExact} onTime={actions.onTime} /> {actor}{' '}
        <span class="inspect-soft">{verb}</span>
        <RequestLink message={revision.message} onSubject={actions.onSubject} />
      </p>
      {verb !== 'delete' || changes.length > 0 ? <Changes changes={changes} /> : null}
    </li>
  );
}

function Events({
  events,
  actions,
}: {
  readonly events: readonly EventDetails[];
  readonly actions: PanelActions;
}) {
  const shared = sharedTimes(events.map(({ atMs }) => atMs));
  return (
    <ol class="inspect-entries">
      {events.map(({ atMs, type, reason, from, message, count }) => (
        <li key={`${atMs} ${reason} ${message}`}>
          <p>
            <When atMs={atMs} isExact={shared.has(atMs)} onTime={actions.onTime} />{' '}
            {type === 'Warning' && <strong class="inspect-warning">{texts.object.warning} </strong>}
            <strong>{reason}</strong> <span class="inspect-soft">{from}</span>
            {count > 1 && <span class="inspect-soft"> {texts.object.times(count)}</span>}
          </p>
          <p>{message}</p>
        </li>
      ))}
    </ol>
  );
}
