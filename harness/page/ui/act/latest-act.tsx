import type { RunService } from '../../protocol/run-service.ts';
import type { ActSession } from './act-session.ts';
import { answerOf } from './answer-of.ts';
import { actTexts } from './texts.ts';
import { useSession } from './use-session.ts';

const { latest: texts, prompt } = actTexts;

/** Properties of a {@link LatestAct}. */
export interface LatestActProps {
  readonly session: ActSession;
  readonly service: Pick<RunService, 'packetOf'>;
  /** Opens the prompt, which has the whole output. */
  readonly onPrompt: () => void;
  /** Looks into a message. */
  readonly onMessage: (id: number) => void;
}

/** A line about the latest command or request of a menu: the prompt may be closed. */
export function LatestAct({ session, service, onPrompt, onMessage }: LatestActProps) {
  const { latest, needsTime } = useSession(session);
  if (!latest) return null;
  const { kind, text, state, exitCode = 0, advancedMs, action } = latest;
  const isRunning = state === 'running';
  const answer = answerOf(latest);
  const seeWay = async (): Promise<void> => {
    const id = action === undefined ? undefined : await service.packetOf(action);
    if (id === undefined) return;
    session.dismiss();
    onMessage(id);
  };
  return (
    <div class={`notice${exitCode !== 0 ? ' is-error' : ''}`} role="status">
      <span class="act-latest">
        <b>{kind === 'command' ? `$ ${text}` : text}</b>
        <span>{answer !== '' ? answer : isRunning ? texts.running : texts.done}</span>
        {isRunning && needsTime && <small>{texts.needsTime}</small>}
        {advancedMs !== undefined && <small>{prompt.advanced(advancedMs)}</small>}
      </span>
      {kind === 'action' && !isRunning && (
        <button type="button" class="link" onClick={() => void seeWay()}>
          {texts.seeWay}
        </button>
      )}
      <button type="button" class="link" onClick={onPrompt}>
        {texts.openPrompt}
      </button>
      <button type="button" class="link" onClick={() => session.dismiss()}>
        {texts.dismiss}
      </button>
    </div>
  );
}
