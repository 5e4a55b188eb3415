miloco-cli task create --task-id phone_time_daily --description "每天累计玩手机超 1 小时提醒"
miloco-cli task record init phone_time_daily \
  --kind duration \
  --content '{"target_minutes":60,"recurring_pattern":{"window":"day"}}'
miloco-cli rule create --task-id phone_time_daily \
  --name "[phone_time_daily] 玩手机累计时长" \
  --mode state \
  --condition "用户手持手机，屏幕亮起朝向脸部，目光低头注视屏幕；不含手持平板/书本/遥控器，不含手机贴耳通话" \
  --duration-seconds 90 \
  --exit-debounce-seconds 60 \
  --on-enter-desc "记录计时起点" \
  --on-exit-desc "结束计时" \
  --on-target-desc "使用手机推送通知：今日累计玩手机已达目标时长，休息一下"
