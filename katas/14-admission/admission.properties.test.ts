import { describe, test } from 'vitest';
import { holds, remembering } from '#harness/testing';
import { newAdmission } from '#kata/14-admission/admission';
import {
  type AdmissionScenario,
  admissionLaws,
  kubeletWorkloads,
  pluginWorkloads,
  quotaWorkloads,
  runAdmission,
  standardWorkloads,
  webhookWorkloads,
  workloads,
} from '#laws/14-admission';

/** Runs each scenario once for all laws. The laws use only the admission. */
const live = remembering((scenario: AdmissionScenario) => runAdmission(newAdmission, scenario));

// Causes come before effects: an object that a plugin has not completed is a wrong object for each webhook.
describe('The laws of requests', () => {
  test('Answers: every request ends, with an object or a Status', () =>
    holds(admissionLaws.answers, workloads, live));

  test('No trace: a refused request writes nothing', () => holds(admissionLaws.noTrace, workloads, live));

  test('Dry run: a dry run writes nothing, and calls no webhook with side effects', () =>
    holds(admissionLaws.dryRun, workloads, live));

  test('Admits: a request is refused only for a reason', () => holds(admissionLaws.admits, workloads, live));
});

describe('The laws of plugins', () => {
  test('Living namespaces: new objects come only into namespaces that exist and do not end', () =>
    holds(admissionLaws.namespaces, pluginWorkloads, live));

  test('Complete pods: a pod gets its priority, account, token, tolerations and limits, or is refused', () =>
    holds(admissionLaws.completes, pluginWorkloads, live));

  test('Keeps values: plugins overwrite no value of the client, and no stored object', () =>
    holds(admissionLaws.keeps, pluginWorkloads, live));

  test('Idempotent: plugins that run again change nothing', () =>
    holds(admissionLaws.idempotent, pluginWorkloads, live));

  test('Within limits: an object outside the limits of its namespace is refused', () =>
    holds(admissionLaws.withinLimits, pluginWorkloads, live));

  test('One default: no second PriorityClass becomes the default', () =>
    holds(admissionLaws.oneDefault, pluginWorkloads, live));
});

describe('The laws of webhooks', () => {
  test('Called rightly: a webhook is called if and only if it matches', () =>
    holds(admissionLaws.called, webhookWorkloads, live));

  test('Full reviews: a review says everything about its request', () =>
    holds(admissionLaws.reviews, webhookWorkloads, live));

  test('In turn: each mutating webhook sees the result of the one before', () =>
    holds(admissionLaws.inTurn, webhookWorkloads, live));

  test('Reinvoked once: a webhook is called again if it wants to and the object has changed since', () =>
    holds(admissionLaws.reinvoked, webhookWorkloads, live));

  test('All asked: all validating webhooks that match are called at the same time', () =>
    holds(admissionLaws.allAsked, webhookWorkloads, live));

  test('Final object: validating webhooks see the object that will be stored', () =>
    holds(admissionLaws.final, webhookWorkloads, live));

  test('Refusals count: a denied request is refused, whatever the failure policy', () =>
    holds(admissionLaws.refusals, webhookWorkloads, live));

  test('Failure policy: a webhook that fails is ignored or fails the request, as its policy says', () =>
    holds(admissionLaws.policy, webhookWorkloads, live));

  test('On time: a webhook has exactly its time limit, and no call begins after the end of its request', () =>
    holds(admissionLaws.onTime, webhookWorkloads, live));

  test('Warns: the warnings of webhooks reach the client, and their annotations the audit log', () =>
    holds(admissionLaws.warns, webhookWorkloads, live));
});

describe('The laws of quotas', () => {
  test('Within quota: no more is stored than a quota allows', () =>
    holds(admissionLaws.withinQuota, quotaWorkloads, live));

  test('Never under-counted: a quota counts at least the stored objects', () =>
    holds(admissionLaws.counted, quotaWorkloads, live));

  test('Charged once: a request is charged exactly if everything else accepts it', () =>
    holds(admissionLaws.charged, quotaWorkloads, live));
});

describe('★ The law of Pod Security Standards (Level 9)', () => {
  test('Pod security: a pod that the standard of its namespace forbids is refused, and no other', async () => {
    await holds(admissionLaws.podSecurity, standardWorkloads, live);
    await holds(admissionLaws.admits, standardWorkloads, live);
  });
});

describe('★ The law of kubelets (Level 10)', () => {
  test('Own node: a kubelet changes only its own node and the pods on it', async () => {
    await holds(admissionLaws.nodes, kubeletWorkloads, live);
    await holds(admissionLaws.admits, kubeletWorkloads, live);
  });
});
