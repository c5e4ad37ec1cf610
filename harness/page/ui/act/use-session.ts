import { useEffect, useState } from 'preact/hooks';
import type { ActSession, PromptState } from './act-session.ts';

/** Returns the state of the session, and renders the component again when it changes. */
export function useSession(session: ActSession): PromptState {
  const [state, setState] = useState(session.state);
  useEffect(() => {
    setState(session.state);
    return session.subscribe(() => setState(session.state));
  }, [session]);
  return state;
}
