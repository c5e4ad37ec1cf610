// One file per level, in teaching order.
import './levels/1-reference.test.ts';
import './levels/2-policy.test.ts';
import './levels/3-keyring.test.ts';
import './levels/4-pull.test.ts';
import './levels/5-backoff.test.ts';
import './levels/6-ensure.test.ts';
import './levels/7-serial.test.ts';
import './levels/8-collect.test.ts';
import './levels/9-records.test.ts';
import './levels/10-parallel.test.ts';
