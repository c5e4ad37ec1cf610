// One file a level, in teaching order.
import './levels/1-certificate.test.ts';
import './levels/2-bearer.test.ts';
import './levels/3-service-account.test.ts';
import './levels/4-authenticate.test.ts';
import './levels/5-rule.test.ts';
import './levels/6-whose.test.ts';
import './levels/7-authorize.test.ts';
import './levels/8-escalation.test.ts';
import './levels/9-impersonate.test.ts';
import './levels/10-nodes.test.ts';
import './levels/11-aggregation.test.ts';
