import './levels/1-claims.test.ts';
import './levels/2-replicas.test.ts';
import './levels/3-victims.test.ts';
import './levels/4-slow-start.test.ts';
import './levels/5-expectations.test.ts';
import './levels/6-status.test.ts';
import './levels/9-sync.test.ts';
import './levels/9-failures.test.ts';
