import type {
  RequestDetails,
  RequestLine,
  StageDetails,
  WebhookCallDetails,
} from '../../protocol/details.ts';
import { sharedTimes } from './format.ts';
import { Changes, type PanelActions, Section, SubjectLink, When } from './parts.tsx';
import { inspectTexts } from './texts.ts';

const texts = inspectTexts.request;

/** A request: its way through an apiserver, stage by stage. */
export function RequestPanel({ details }: { readonly details: RequestDetails }) {
  return (
    <div class="inspect-panel">
      <RequestWay details={details} />
    </div>
  );
}

/** The stages of a request as a table, each with its verdict, its time and its reason. */
export function RequestWay({ details: { stages, notReached } }: { readonly details: RequestDetails }) {
  return (
    <Section title={texts.way}>
      <table class="inspect-table inspect-stages" aria-label={texts.way}>
        <thead>
          <tr>
            <th scope="col">{texts.stage}</th>
            <th scope="col">{texts.verdict}</th>
          </tr>
        </thead>
        <tbody>
          {stages.map((stage, i) => (
            <StageRow key={i} stage={stage} />
          ))}
          {notReached.map((stage) => (
            <tr key={stage} class="inspect-soft">
              <th scope="row">{stage}</th>
              <td>{texts.notReached}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

const marks: Readonly<Record<StageDetails['verdict'], string>> = {
  passed: '✓',
  refused: '✗',
  again: '↻',
  pending: '…',
};

function StageRow({
  stage: { stage, verdict, afterMs, text, changes, webhooks },
}: {
  readonly stage: StageDetails;
}) {
  return (
    <tr class={`inspect-stage-${verdict}`}>
      <th scope="row">
        {stage}
        <small>{texts.after(afterMs)}</small>
      </th>
      <td>
        <p>
          <strong>
            <span aria-hidden="true">{marks[verdict]} </span>
            <span class={verdict === 'passed' ? 'inspect-hidden' : ''}>{texts.verdicts[verdict]}</span>
          </strong>{' '}
          {text}
        </p>
        {webhooks && webhooks.length > 0 && <Webhooks calls={webhooks} />}
        {changes && <Changes changes={changes} />}
      </td>
    </tr>
  );
}

function Webhooks({ calls }: { readonly calls: readonly WebhookCallDetails[] }) {
  return (
    <ul class="inspect-list" aria-label={texts.webhooks}>
      {calls.map(({ name, verdict, tookMs, text }, i) => (
        <li key={i}>
          <code>{name}</code>{' '}
          <span class={verdict === 'allowed' ? '' : 'inspect-rejected'}>{texts.call[verdict]}</span>{' '}
          <span class="inspect-soft">{texts.after(tookMs)}</span>
          {text !== '' && `: ${text}`}
        </li>
      ))}
    </ul>
  );
}

/** Requests, each a link to its way. */
export function Requests({
  requests,
  actions,
}: {
  readonly requests: readonly RequestLine[];
  readonly actions: PanelActions;
}) {
  if (requests.length === 0) return <p class="inspect-empty">{texts.none}</p>;
  const shared = sharedTimes(requests.map(({ atMs }) => atMs));
  return (
    <>
      <p class="inspect-soft">{texts.leftOut}</p>
      <ol class="inspect-lines">
        {requests.map(({ number, atMs, text, refusal }) => (
          <li key={number}>
            <When atMs={atMs} isExact={shared.has(atMs)} onTime={actions.onTime} />
            <span>
              <SubjectLink subject={{ kind: 'request', number }} onSubject={actions.onSubject}>
                {text}
              </SubjectLink>
              {refusal !== undefined && <span class="inspect-rejected"> ✗ {refusal}</span>}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}
