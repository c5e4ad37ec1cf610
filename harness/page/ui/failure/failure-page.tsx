import { useEffect, useState } from 'preact/hooks';
import { FAILURE_URL, type FailureAnswer } from '../../protocol/failure.ts';
import { FailureView } from './failure-view.tsx';
import { failureTexts as texts } from './texts.ts';

/** Properties of a {@link FailurePage}. */
interface FailurePageProps {
  /** `23` */
  readonly kata: string;
  /** Goes to the cluster. */
  readonly onClose: () => void;
}

/** Asks the server for the replay of a failed law, and shows it. A static site has no such server. */
export function FailurePage({ kata, onClose }: FailurePageProps) {
  const [law, setLaw] = useState<string>();
  const [runs, setRuns] = useState(0);
  const [answer, setAnswer] = useState<FailureAnswer>();

  useEffect(() => {
    const aborting = new AbortController();
    setAnswer(undefined);
    fetchFailure(kata, law, aborting.signal).then(
      (next) => aborting.signal.aborted || setAnswer(next),
      () => aborting.signal.aborted || setAnswer({ problem: texts.unreachable, ...noRun }),
    );
    return () => aborting.abort();
  }, [kata, law, runs]);

  const laws = answer?.laws ?? [];
  const shown = law ?? (answer && 'replay' in answer ? answer.replay.law.name : undefined);
  return (
    <main class="failure-page">
      <nav class="failure-bar">
        <h1>{texts.title}</h1>
        {laws.length > 1 && (
          <label>
            {texts.laws}{' '}
            <select value={shown} onChange={({ currentTarget }) => setLaw(currentTarget.value)}>
              {laws.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
        )}
        <button type="button" class="link" onClick={() => setRuns(runs + 1)}>
          {texts.again}
        </button>
        <button type="button" class="link" onClick={onClose}>
          {texts.toCluster}
        </button>
      </nav>
      {!answer && (
        <p class="failure-note" role="status">
          {texts.loading(kata)}
        </p>
      )}
      {answer && 'problem' in answer && (
        <p class="failure-note" role="alert">
          {answer.problem}
        </p>
      )}
      {answer?.isStale && (
        <p class="failure-note" role="status">
          {texts.stale(kata)}
        </p>
      )}
      {answer && 'replay' in answer && <FailureView replay={answer.replay} />}
    </main>
  );
}

const noRun = { laws: [], isStale: false };

async function fetchFailure(
  kata: string,
  law: string | undefined,
  signal: AbortSignal,
): Promise<FailureAnswer> {
  if (!import.meta.env.DEV) return { problem: texts.onlyServed, ...noRun };
  const query = law === undefined ? '' : `?${new URLSearchParams({ law })}`;
  const response = await fetch(`${FAILURE_URL}/${encodeURIComponent(kata)}${query}`, { signal });
  return (await response.json()) as FailureAnswer;
}
