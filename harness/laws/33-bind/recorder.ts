import type { List } from '../../api/objects.ts';
import type { Client } from '../../contracts/client.ts';
import type * as framework from '../../contracts/framework/index.ts';
import type { Simulation } from '../../sim/index.ts';
import type { Attempt, LoopRequest } from './history.ts';
import type { OwnList } from './tellings.ts';

/** Writes down what a scheduler asks its filters and the server. */
export class Recorder {
  readonly attempts: Attempt[] = [];
  readonly requests: LoopRequest[] = [];
  readonly lists: OwnList[] = [];
  readonly #sim: Simulation;
  #pending = new Set<LoopRequest>();
  #count = 0;
  #life = 0;

  constructor(sim: Simulation) {
    this.#sim = sim;
  }

  /** Does the scheduler wait for an answer? */
  get busy(): boolean {
    return this.#pending.size > 0;
  }

  /** A new life begins: what the last one waited for never comes. */
  begin(): void {
    this.#life++;
    this.#pending = new Set();
  }

  /** The client of this life, watched. */
  client(client: Client): Client {
    const pending = this.#pending;
    return new Proxy(client, {
      get: (target, verb: keyof Client) => {
        const ask = target[verb].bind(target) as (...args: unknown[]) => Promise<unknown>;
        if (verb === 'watch') return ask;
        return (...args: readonly unknown[]) => {
          const request = this.#sent(verb, args);
          pending.add(request);
          const answer = ask(...args);
          const answered = (error?: unknown): void => {
            request.answeredMs = this.#sim.elapsedMs;
            if (error !== undefined) request.error = error;
            pending.delete(request);
          };
          answer.then((result) => {
            answered();
            if (verb === 'list') this.#listed(request, result);
          }, answered);
          return answer;
        };
      },
    });
  }

  /** The profile of this life, watched. */
  profile(profile: framework.Profile): framework.Profile {
    const { filtering } = profile;
    const life = this.#life;
    return {
      ...profile,
      filtering: {
        ...filtering,
        findNodesThatFit: (request) => {
          const { pod, snapshot } = request;
          const found = filtering.findNodesThatFit(request);
          const { diagnosis } = found;
          const { nodeInfos } = snapshot;
          this.attempts.push({
            life,
            atMs: this.#sim.elapsedMs,
            as: this.#count++,
            pod,
            nodeInfos,
            feasible: found.feasible.map(({ name }) => name),
            diagnosis,
            message: () => filtering.fitErrorMessage(nodeInfos.length, diagnosis),
          });
          return found;
        },
      },
    };
  }

  #listed({ resource, sentMs }: LoopRequest, list: unknown): void {
    const { resourceVersion } = (list as List<unknown>).metadata;
    const answeredMs = this.#sim.elapsedMs;
    this.lists.push({ resource, revision: Number(resourceVersion), sentMs, answeredMs });
  }

  #sent(verb: keyof Client, args: readonly unknown[]): LoopRequest {
    const request: LoopRequest = {
      life: this.#life,
      sentMs: this.#sim.elapsedMs,
      as: this.#count++,
      verb,
      ...aboutWhat(verb, args),
    };
    this.requests.push(request);
    return request;
  }
}

function aboutWhat(
  verb: keyof Client,
  args: readonly unknown[],
): Pick<LoopRequest, 'resource' | 'name' | 'node' | 'uid'> {
  if (verb === 'bind' || verb === 'evict') {
    const [{ name }, node, { uid } = {}] = args as Parameters<Client['bind']>;
    return { resource: 'pods', name, ...(verb === 'bind' ? { node } : {}), ...(uid ? { uid } : {}) };
  }
  const [{ plural }, what = {}] = args as readonly [{ plural: string }, object?];
  const { name, metadata } = what as { name?: string; metadata?: { name?: string } };
  const called = verb === 'list' ? undefined : (name ?? metadata?.name);
  return { resource: plural, ...(called === undefined ? {} : { name: called }) };
}
