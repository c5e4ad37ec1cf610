import { type Law, lawAbout } from '../../../testing/holds.ts';
import type { AccessHistory } from '../history.ts';
import { readingOf } from '../oracle/reading.ts';
import type { LawName } from '../oracle/verdicts.ts';

/** @param situation - completes "No scenario led to the situation that this law checks" */
function law(name: LawName, situation: string): Law<AccessHistory> {
  return lawAbout(
    { name: situation, isMet: (history) => readingOf(history).met.has(name) },
    (history) => readingOf(history).violations.get(name) ?? [],
  );
}

/** Safety. The user of a request is exactly the user of its credentials: name, uid, groups and extra. */
export const rightUser = law('rightUser', 'a request with a certificate and a token');

/** Safety. Invalid credentials are rejected, and only requests without credentials are anonymous. */
export const neverAnonymous = law('neverAnonymous', 'a request with invalid credentials');

/** Safety. A token is rejected after its account, its object or its time has ended, plus the leeway. */
export const outlivesNothing = law('outlivesNothing', 'a token whose account, object or time had ended');

/** Liveness. Until then a token is accepted, also if the cache has not observed its account or its object yet. */
export const worksUntilThen = law('worksUntilThen', 'a valid token of a service account');

/** Safety. A token is accepted only for its audiences. */
export const rightAudience = law('rightAudience', 'a token for another audience');

/** Safety. A request is allowed only if a rule allows it. */
export const sound = law('sound', 'a request that no rule allowed');

/** Liveness. A request is allowed if a rule allows it. */
export const complete = law('complete', 'a request that a rule allowed');

/** Safety and liveness. A change of a role or a binding counts from the next request whose cache has it. */
export const prompt = law('prompt', 'a request that was allowed only before, or only after, a change');

/** Liveness. A binding to a missing role grants nothing and disturbs no other binding. */
export const missingRoles = law('missingRoles', 'an allowed request of a user with a missing role');

/** Safety. The order of bindings, subjects and rules does not matter. */
export const anyOrder = law('anyOrder', 'a request that a rule allowed');

/** Safety. An answer does not depend on whether the object exists. */
export const silent = law('silent', 'a forbidden request for one object');

/** Liveness. `system:masters` may do everything, whatever the authorizers say. */
export const masters = law('masters', 'a request of the group system:masters');

/** Safety and liveness. A user's list of rules agrees with the answers to its requests. */
export const listsRules = law('listsRules', 'a list with a rule');

/** Safety. No write of a role or a binding grants rights that its writer does not have. */
export const noEscalation = law(
  'noEscalation',
  'a write of a role or a binding with more rights than its writer has',
);

/** Liveness. A user may grant the rights that the user has. */
export const mayShare = law('mayShare', 'a write of a role or a binding with rights of its writer');

/** Liveness. With `escalate` or `bind`, a user may grant more. */
export const escalateAndBind = law(
  'escalateAndBind',
  'a write with more rights, by a user with escalate or bind',
);

/** Safety. Nobody acts as somebody else without the rights for each part of that identity. */
export const noImpersonation = law('noImpersonation', 'an impersonation without one of the rights');

/** Liveness. A user with these rights acts exactly as the named user. */
export const actsAs = law('actsAs', 'an impersonation with all rights');

/** ★ Liveness. A node may read what its pods need. */
export const nodesRead = law('nodesRead', 'a request of a node that is allowed');

/** ★ Safety. A node may do nothing else. */
export const nodesOnly = law('nodesOnly', 'a request of a node that is not allowed');
