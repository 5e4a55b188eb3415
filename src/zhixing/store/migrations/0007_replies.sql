-- What a model said about a notice, as it came; it is read again with every answer. `item` is the one matter of several
-- that this notice stands for, chosen by the user.
ALTER TABLE notices ADD COLUMN reply TEXT;
ALTER TABLE notices ADD COLUMN item BIGINT;
