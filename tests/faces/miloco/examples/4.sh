EXPIRES_AT=$(miloco-cli time-compute --anchor '{"kind":"end_of_day"}')
miloco-cli task create --task-id drink_8_today --description "今天喝够 8 杯水"

miloco-cli rule create --task-id drink_8_today \
  --name "[drink_8_today] 喝水计数" \
  --mode event \
  --condition "用户手持水杯/水瓶/茶杯/保温杯等饮品容器，杯口贴近嘴边并伴随仰头吞咽动作；不含手持牙刷/麦克风/纸盒/食物/餐盒等非饮品物品，不含举杯凑近鼻子闻、吹凉、展示等动作" \
  --action-desc "喝水次数加一；首次达标时使用手机推送通知：恭喜达标"

miloco-cli task record init drink_8_today \
  --kind progress \
  --content "{\"target\":8,\"unit\":\"杯\",\"window\":\"day\",\"expires_at\":\"$EXPIRES_AT\"}"

# 调 OpenClaw cron 建提醒 cron（喝水无强场景 → 均分 10-20，N=min(8,6)=6 时点）：name="[drink_8_today] 喝水提醒"，expr="0 10,12,14,16,18,20 * * *"，tz="<家庭时区>"（独立字段、必带，见 §Schedule.时区），message="调 miloco-cli task record get drink_8_today，按 derived.remaining 决定是否催"
miloco-cli task link --task drink_8_today --kind cron --ref <jobId_remind>

# 调 OpenClaw cron 建到期销毁 at：name="[drink_8_today] 到期销毁"，at=$EXPIRES_AT，message="到期销毁 task drink_8_today"
miloco-cli task link --task drink_8_today --kind cron --ref <jobId_termination>
