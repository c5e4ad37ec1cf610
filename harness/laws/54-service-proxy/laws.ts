import { type Law, lawAbout, type Violation } from '../../testing/holds.ts';
import type { Look, ProxyHistory } from './history.ts';
import { answerTo, type Question, type ServiceState } from './oracle.ts';

/** Liveness: at rest, each address leads to exactly the usable endpoints, or rejects the connection as it must. */
export const exact: Law<ProxyHistory> = ({ looks }) =>
  looks.filter(({ during }) => during === 'rest').flatMap(wrongIn);

/** Safety: working connections keep working, whatever happens to the proxy, as long as nothing else changes. */
export const undisturbed: Law<ProxyHistory> = lawAbout(
  {
    name: 'rules that were rewritten without a change',
    isMet: ({ looks }) => looks.some(({ during }) => during === 'trouble'),
  },
  ({ looks }) => looks.filter(({ during }) => during === 'trouble').flatMap(wrongIn),
);

function wrongIn({ atMs, states, sightings }: Look): readonly Violation[] {
  return sightings.flatMap(({ question, outcomes }): Violation[] => {
    const answer = answerTo(question, stateOf(question, states));
    const reached = [...new Set(outcomes.flatMap(({ reached: ip }) => ip ?? []))].sort();
    const wanted = [...answer.endpoints].sort();
    const isLost = wanted.length > 0 && outcomes.some(({ reached: ip }) => ip === undefined);
    if (String(reached) !== String(wanted) || isLost) {
      const really = [...reached, ...(isLost ? ['nowhere'] : [])].join(', ') || 'nowhere';
      return [violation(atMs, question, `leads to ${really} instead of ${wanted.join(', ') || 'nothing'}`)];
    }
    if (answer.isRefused && outcomes.some(({ isRefused }) => !isRefused)) {
      return [violation(atMs, question, 'has no endpoint, but lets clients wait')];
    }
    return [];
  });
}

/** Safety: no connection is ever sent to an endpoint that has been unusable since the last rest. */
export const usable: Law<ProxyHistory> = ({ looks }) =>
  looks.flatMap(({ atMs, sightings, since }) =>
    sightings.flatMap(({ question, outcomes }): Violation[] => {
      const allowed = new Set(
        since
          .filter(({ name }) => name === question.service)
          .flatMap(({ endpoints }) =>
            endpoints.flatMap(({ ip, state, ghost }) =>
              state === 'ready' || state === 'draining' || ghost ? [ip] : [],
            ),
          ),
      );
      const wrong = outcomes.find(({ reached }) => reached !== undefined && !allowed.has(reached));
      return wrong ? [violation(atMs, question, `leads to ${wrong.reached}, which is not an endpoint`)] : [];
    }),
  );

/** Liveness: at rest, each usable endpoint has the same probability. */
export const fair: Law<ProxyHistory> = lawAbout(
  {
    name: 'a service with three endpoints',
    isMet: ({ rests }) => rests.some(({ chances }) => chances.some((each) => each.chances.size > 2)),
  },
  ({ rests }) =>
    rests.flatMap(({ atMs, chances }) =>
      chances.flatMap(({ question, chances: found }): Violation[] => {
        const wrong = [...found].find(([, chance]) => Math.abs(chance - 1 / found.size) > TOLERANCE);
        if (!wrong) return [];
        const [ip, chance] = wrong;
        return [
          violation(atMs, question, `leads to ${ip}, one of ${found.size}, with a probability of ${chance}`),
        ];
      }),
    ),
);

/** Probabilities are measured with a precision of 2^-10 at each of a few rules. */
const TOLERANCE = 0.005;

/**
 * Liveness: at rest, an endpoint sees the client's address where that is promised; otherwise it sees the node's
 * address.
 */
export const seen: Law<ProxyHistory> = ({ looks, clients, nodeIPs }) =>
  looks
    .filter(({ during }) => during === 'rest')
    .flatMap(({ atMs, states, sightings }) =>
      sightings.flatMap(({ question, outcomes }): Violation[] => {
        const client = clients[question.place];
        const { isSeen } = answerTo(question, stateOf(question, states));
        const wrong = outcomes.find(({ reached, seenFrom }) => {
          if (seenFrom === undefined) return false;
          // A pod that reaches itself would answer itself directly if it saw its own address.
          const isItself = reached === client;
          const isNode = question.place === 'node' || !isSeen || isItself;
          return isNode ? !nodeIPs.includes(seenFrom) : seenFrom !== client;
        });
        return wrong ? [violation(atMs, question, `is seen from ${wrong.seenFrom} by ${wrong.reached}`)] : [];
      }),
    );

/** Safety: a client with session affinity returns to its endpoint, as long as the service does not change. */
export const sticky: Law<ProxyHistory> = lawAbout(
  {
    name: 'a client that came back to a service with affinity and two endpoints',
    isMet: ({ rests }) => pairs(rests).some(({ isSticky, endpoints }) => isSticky && endpoints > 1),
  },
  ({ rests }) =>
    pairs(rests).flatMap(({ atMs, question, before, after, isSticky }): Violation[] =>
      isSticky && before !== after
        ? [violation(atMs, question, `leads to ${after}, but led to ${before} before`)]
        : [],
    ),
);

function pairs(rests: ProxyHistory['rests']) {
  return rests.slice(1).flatMap(({ atMs, states, visits }, i) =>
    visits.flatMap(({ question, reached, version }) => {
      const earlier = rests[i]?.visits.find(({ question: other }) => other.service === question.service);
      const state = stateOf(question, states);
      if (!earlier || earlier.version !== version) return [];
      return [
        {
          atMs,
          question,
          before: earlier.reached,
          after: reached,
          isSticky: state.shape?.isSticky === true,
          endpoints: answerTo(question, state).endpoints.length,
        },
      ];
    }),
  );
}

/** Liveness: at rest, a client that has connected before is also sent to a usable endpoint. */
export const returning: Law<ProxyHistory> = ({ rests }) =>
  rests.flatMap(({ atMs, states, visits }) =>
    visits.flatMap(({ question, reached }): Violation[] => {
      const { endpoints } = answerTo(question, stateOf(question, states));
      const isRight = reached === undefined ? endpoints.length === 0 : endpoints.includes(reached);
      return isRight ? [] : [violation(atMs, question, `leads a known client to ${reached ?? 'nowhere'}`)];
    }),
  );

/** Liveness: at rest, datagrams of a client that never pauses reach a serving endpoint, if there is one. */
export const streams: Law<ProxyHistory> = lawAbout(
  {
    name: 'a stream of datagrams whose endpoint was removed',
    isMet: ({ rests }) =>
      rests.some(({ stream }, i) => {
        const before = rests[i - 1]?.stream;
        return before !== undefined && stream !== undefined && before !== stream;
      }),
  },
  ({ rests }) =>
    rests.flatMap(({ atMs, states, stream }): Violation[] => {
      const dns = states.find(({ name, shape }) => name === 'dns' && shape && !shape.isInternalLocal);
      const serving = (dns?.endpoints ?? []).filter(({ state }) => state === 'ready' || state === 'draining');
      if (serving.length === 0) return [];
      if (stream !== undefined && serving.some(({ ip }) => ip === stream)) return [];
      return [{ atMs, message: `a stream of datagrams to dns goes ${stream ? `to ${stream}` : 'nowhere'}` }];
    }),
);

/** Liveness: at rest, foreign rules exist, no rule exists twice, and none refers to a deleted service or pod. */
export const tidy: Law<ProxyHistory> = ({ rests, foreign, known }) =>
  rests.flatMap(({ atMs, rules, states }): Violation[] => {
    const gone = foreign.filter((rule) => !rules.includes(rule));
    const twice = rules.filter((rule, i) => rules.indexOf(rule) < i);
    const there = new Set(states.flatMap(addressesIn));
    const left = rules.filter((rule) => {
      const ips = [...rule.matchAll(/\b\d+\.\d+\.\d+\.\d+\b/g)].map(([ip]) => ip);
      return ips.some((ip) => known.has(ip) && !there.has(ip));
    });
    return [
      ...gone.map((rule) => ({ atMs, message: `a foreign rule is missing: ${rule}` })),
      ...twice.map((rule) => ({ atMs, message: `a rule exists twice: ${rule}` })),
      ...left.map((rule) => ({ atMs, message: `a rule refers to a deleted object: ${rule}` })),
    ];
  });

/** Returns the addresses of a service and of its pods. */
function addressesIn({ shape, addresses, endpoints }: ServiceState): readonly string[] {
  return shape ? [...addresses, ...endpoints.map(({ ip }) => ip)] : [];
}

function stateOf({ service }: Question, states: readonly ServiceState[]): ServiceState {
  return states.find(({ name }) => name === service) as ServiceState;
}

function violation(atMs: number, { service, place, frontend }: Question, message: string): Violation {
  const { ip, port } = frontend;
  return { atMs, message: `${service} at ${ip}:${port}, asked from ${place}, ${message}`, object: service };
}
