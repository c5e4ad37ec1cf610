import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Subject } from '../../protocol/details.ts';
import type { RunService } from '../../protocol/run-service.ts';
import { keepEqual } from '../keep-equal.ts';
import { isSameSubject } from './format.ts';
import { type Look, Looks } from './looks.ts';

/**
 * Looks into a subject, and again when the run has moved.
 *
 * @returns the last answer for this subject; undefined before the first
 */
export function useDetails(
  service: Pick<RunService, 'inspect'>,
  subject: Subject,
  now: number,
): Look | undefined {
  const [look, setLook] = useState<Look>();
  const looks = useMemo(() => {
    const onLook = (next: Look): void => setLook((before) => keepEqual(before, next));
    return new Looks({ service, clock, onLook });
  }, [service]);
  useEffect(() => looks.want(subject), [looks, subject, now]);
  useEffect(() => () => looks.end(), [looks]);
  return look && isSameSubject(look.subject, subject) ? look : undefined;
}

const clock = {
  now: () => performance.now(),
  after: (ms: number, callback: () => void) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
