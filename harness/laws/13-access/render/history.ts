import type { Attributes, User } from '../../../contracts/access/index.ts';
import type { Call } from '../history.ts';
import type { Caller, CertificatePlan, Grant, Operation, Question } from '../scenario/index.ts';

interface Row {
  readonly actor: string;
  readonly verb: string;
  readonly object?: string;
  readonly outcome?: string;
  readonly note?: string;
}

/** Returns the row of a call in the timeline; undefined if the call is not shown. */
export function render(call: Call): Row | undefined {
  switch (call.call) {
    case 'authenticate': {
      const { result } = call;
      const outcome = 'user' in result ? describeUser(result.user) : `401 (${result.rejected.join(', ')})`;
      return { actor: 'access', verb: 'authenticates', outcome };
    }
    case 'authenticateToken': {
      const { token, result } = call;
      const outcome =
        'user' in result ? describeUser(result.user) : `rejected (${result.rejected.join(', ')})`;
      return { actor: 'access', verb: 'reviews token', object: token, outcome };
    }
    case 'impersonate': {
      const { asked, result } = call;
      const outcome = 'refused' in result ? `${result.refused.code}` : describeUser(result);
      return { actor: 'access', verb: 'impersonates', object: asked.user, outcome };
    }
    case 'authorize': {
      const { attributes, result } = call;
      return {
        actor: 'access',
        verb: 'authorizes',
        object: describeQuestion(attributes),
        outcome: result.verdict,
        ...(result.reason && { note: result.reason }),
      };
    }
    case 'checkGrant': {
      const { write, refused } = call;
      const { namespace, name } = write.object.metadata;
      return {
        actor: 'access',
        verb: 'checks grant',
        object: `${write.resource.plural}/${namespace ? `${namespace}/` : ''}${name}`,
        outcome: refused ? `${refused.code}` : 'ok',
        ...(refused && { note: refused.message.split('\n')[0] as string }),
      };
    }
    case 'rulesFor':
      return {
        actor: 'access',
        verb: 'lists rules',
        object: `${call.user.name} in "${call.namespace}"`,
        outcome: `${call.result.rules.length} rules`,
      };
  }
}

/** Returns the row of an operation that is not a call; undefined if its calls say enough. */
export function renderStep(step: Operation): Row | undefined {
  switch (step.act) {
    case 'ask':
      return { actor: describeCaller(step.caller), verb: 'asks', object: describeQuestion(step.question) };
    case 'rules':
      return { actor: describeCaller(step.caller), verb: 'asks', object: `its rules in "${step.namespace}"` };
    case 'write':
      return {
        actor: describeCaller(step.caller),
        verb: step.verb,
        object: describeGrant(step.grant),
      };
    case 'make':
    case 'remove':
    case 'vanish':
    case 'remake': {
      const { kind, namespace, name } = step.object;
      const verb = { make: 'creates', remove: 'deletes', vanish: 'removes', remake: 'deletes and creates' }[
        step.act
      ];
      return { actor: 'admin', verb, object: `${kind} ${namespace ? `${namespace}/` : ''}${name}` };
    }
    case 'issue': {
      const { namespace, account, bound } = step.plan;
      const to = bound ? ` bound to ${bound.kind} ${bound.name}` : '';
      return {
        actor: 'cluster',
        verb: 'issues',
        object: step.token,
        note: `for ${namespace}/${account}${to}`,
      };
    }
    case 'review':
      return undefined;
    case 'clock':
      return {
        actor: 'clock',
        verb: 'moves to',
        object: `${step.edge} of ${step.token}`,
        note: `${step.offsetMs >= 0 ? '+' : ''}${step.offsetMs} ms, with the leeway`,
      };
    default:
      return { actor: 'cache', verb: step.act === 'hold' ? 'stops' : 'catches up' };
  }
}

/** `jane [dev, system:authenticated]` */
export function describeUser({ name, groups }: User): string {
  return `${name} [${groups.join(', ')}]`;
}

/** `get pods/log web in a` */
export function describeQuestion(asked: Question | Attributes): string {
  const { verb, isResourceRequest, path, apiGroup, resource, subresource, name, namespace, fieldSelector } =
    asked;
  if (!isResourceRequest) return `${verb} ${path}`;
  const group = apiGroup ? `.${apiGroup}` : '';
  const of = `${resource}${group}${subresource ? `/${subresource}` : ''}`;
  const selected = fieldSelector ? ` with ${fieldSelector}` : '';
  return `${verb} ${of}${name ? ` ${name}` : ''}${namespace ? ` in ${namespace}` : ''}${selected}`;
}

/** `certificate bob (uids u-1, u-2; not yet valid)` */
function describeCertificate({ commonName, uids = [], flaw, untilMs }: CertificatePlan): string {
  const facts = [
    uids.length > 0 && `${uids.length > 1 ? 'uids' : 'uid'} ${uids.map((uid) => uid || '""').join(', ')}`,
    flaw,
    untilMs !== undefined && `until ${untilMs} ms after the start`,
  ].filter(Boolean);
  return `certificate ${commonName || 'without a name'}${facts.length > 0 ? ` (${facts.join('; ')})` : ''}`;
}

export function describeCaller({ certificate, header, as }: Caller): string {
  const own = [certificate && describeCertificate(certificate), header !== undefined && `"${header}"`].filter(
    Boolean,
  );
  return `${own.join(' and ') || 'nobody'}${as ? ` as ${as.user || 'no user'}` : ''}`;
}

export function describeGrant({
  kind,
  namespace,
  name,
  rules,
  roleRef,
  subjects,
  aggregates,
  labels,
  finalizers,
}: Grant): string {
  const own = [
    rules && JSON.stringify(rules),
    roleRef && `${roleRef.kind} ${roleRef.name}`,
    subjects &&
      `to ${subjects.map((each) => `${each.kind} ${each.namespace ? `${each.namespace}/` : ''}${each.name}`).join(', ') || 'nobody'}`,
    aggregates !== undefined && `aggregates ${aggregates}`,
    labels && JSON.stringify(labels),
    finalizers &&
      `with ${finalizers.length > 0 ? `the finalizers ${finalizers.join(', ')}` : 'no finalizers'}`,
  ].filter(Boolean);
  return `${kind} ${namespace ? `${namespace}/` : ''}${name}: ${own.join(' ')}`;
}
